// SPDX-License-Identifier: Apache-2.0

/// The style of the HTML report, for light and dark screens and for paper.
enum AuditStyleSheet {
  /// The style sheet. Lines are never wider than the page, so that nothing is cut off on paper.
  static let text = """
    :root { --paper: #fff; --ink: #1b1b1b; --faint: #595959; --line: #c9c9c9; --good: #14622f; --bad: #a11010;
      --warning: #7a4b00; --can: #0b4a8f; --shade: #f4f4f4; }
    @media (prefers-color-scheme: dark) { :root { --paper: #161616; --ink: #ececec; --faint: #b0b0b0; --line: #4a4a4a;
      --good: #7ddc9b; --bad: #ff9a93; --warning: #ffc46b; --can: #8fc4ff; --shade: #232323; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1.5rem; max-width: 62rem; background: var(--paper); color: var(--ink);
      font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
    h2 { font-size: 1.4rem; border-bottom: 2px solid var(--ink); margin: 2.5rem 0 1rem; }
    h3 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
    h4 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
    p { margin: .5rem 0; }
    a { color: var(--can); }
    nav { margin: 1.5rem 0; padding: .5rem 1rem; background: var(--shade); }
    nav ol { margin: .3rem 0; padding-left: 1.6rem; columns: 2; }
    dl { margin: .5rem 0; }
    dl div { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: 1rem;
      border-bottom: 1px solid var(--line); padding: .2rem 0; }
    dt { color: var(--faint); }
    dd { margin: 0; }
    table { border-collapse: collapse; width: 100%; margin: .8rem 0; font-size: .9rem; }
    caption { text-align: left; color: var(--faint); padding-bottom: .3rem; }
    th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top;
      overflow-wrap: anywhere; }
    .whole { overflow-wrap: normal; }
    thead th { background: var(--shade); }
    tbody th { font-weight: 600; }
    ul { margin: .3rem 0; padding-left: 1.3rem; }
    ul.statements { list-style: none; padding-left: 0; }
    ul.statements > li { margin: .35rem 0; padding-left: .7rem; border-left: 4px solid var(--line); }
    li.can { border-color: var(--can) !important; } li.can > strong { color: var(--can); }
    li.good { border-color: var(--good) !important; } li.good > strong, td.good { color: var(--good); }
    li.warning { border-color: var(--warning) !important; } li.warning > strong, td.warning { color: var(--warning); }
    li.bad { border-color: var(--bad) !important; } li.bad > strong, td.bad { color: var(--bad); }
    td.bad, td.warning { font-weight: 600; }
    .notice { border-left: 4px solid var(--line); padding: .4rem .8rem; background: var(--shade); }
    .notice strong { margin-right: .4rem; }
    .notice.bad { border-color: var(--bad); } .notice.warning { border-color: var(--warning); }
    .notice.good { border-color: var(--good); } .notice.can { border-color: var(--can); }
    @page { size: A4; margin: 16mm; }
    @media print {
      :root { --paper: #fff; --ink: #000; --faint: #444; --line: #999; --good: #14622f; --bad: #a11010;
        --warning: #7a4b00; --can: #0b4a8f; --shade: #f4f4f4; }
      body { padding: 0; max-width: none; font-size: 10pt; }
      nav { display: none; }
      h2, h3, h4, caption { break-after: avoid; }
      tr, li, dl div, .notice { break-inside: avoid; }
      thead { display: table-header-group; }
    }
    """
}
