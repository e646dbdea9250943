import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipDiagnostics

/// A report as a page.
struct ReportPageTests {
  @Test func `the report page loads no other resource`() async throws {
    let (cache, lease, observing) = try await ReportTests.cache()
    let page = await cache.report().html
    for word in ["<script", "<link", "<img", "src=", "url(", "http:", "https:", "@import"] {
      #expect(!page.contains(word), "the page contains \(word)")
    }
    // The longest bar belongs to the largest number.
    #expect(page.contains(/<td>TestPerson<\/td>[^\n]*width:100\.0%/))
    #expect(page.contains(/<td>TestPlace<\/td>[^\n]*width:0\.0%/))
    withExtendedLifetime((lease, observing)) {}
  }

  @Test func `the report page shows the capacity, and explains its marks`() async throws {
    let (cache, lease, observing) = try await ReportTests.cache()
    let page = await cache.report().html
    #expect(page.contains("<b>12</b><span>capacity</span>"))
    #expect(page.contains("class=\"legend\""))
    withExtendedLifetime((lease, observing)) {}
  }

  @Test func `the report shows a dash for a number that is not known`() async throws {
    let store = MemoryStore()
    let cache = try GraphCache(for: TestNode<Int>.self, store: store, tracing: .on)
    _ = try await cache.find(RecordQuery<TestNode<Int>>())
    let page = await cache.report().html
    #expect(page.contains(/<td>query<\/td><td>[^<]+<\/td>.*?data-head="records">–</))
    let untraced = try GraphCache(for: TestNode<Int>.self)
    var values = untraced.observe(RecordQuery<TestNode<Int>>()).makeAsyncIterator()
    _ = try await values.next()
    #expect(await untraced.report().html.contains("data-head=\"looks\">–<"))
    #expect(await untraced.report().html.contains("<b>–</b><span>longest store call</span>"))
  }

  @Test func `the report page escapes names`() {
    #expect(
      ReportText.escaped("<b a='1' c=\"2\">&\u{0}\u{202E}\n")
        == "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;  \n")
  }

  /// The page in a browser: every element is closed, nothing overflows, every number in a drawing
  /// is valid, and the whole report is visible.
  @Test(
    .enabled(if: HeadlessBrowser.path != nil, "there is no chromium-headless-shell"))
  func `a browser shows the whole report page`() async throws {
    let (cache, lease, observing) = try await ReportTests.cache()
    let empty = try GraphCache(for: TestNode<Int>.self)
    let browser = try HeadlessBrowser()
    do { _ = try await browser.text(of: "<body></body>") } catch let failure
      as HeadlessBrowser.Failure
    {
      try Test.cancel("\(failure)")
    }
    for report in [await cache.report(), await empty.report()] {
      for width in [1_280, 500, 400] {
        let findings = try await browser.findings(in: report.html, width: width)
        #expect(findings == [], "\(width) wide")
      }
      let text = try await browser.text(of: report.html)
      for name in report.statistics.types.map(\.name) + report.observers.map(\.title) {
        #expect(text.contains(ReportText.escaped(name)), "\(name) is not shown")
      }
    }
    withExtendedLifetime((lease, observing)) {}
  }
}

/// Chromium without a window.
struct HeadlessBrowser: ~Copyable {
  static let path = ["chromium-headless-shell", "chromium"].map { "/usr/bin/\($0)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The browser did not start, or ended with an error.
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let messages: String

    var description: String { "Chromium ended with status \(status): \(messages)" }
  }

  private let directory = FileManager.default.temporaryDirectory.appending(
    path: "kinship-page-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// The faults of a page, found by a script that is added to it.
  func findings(in page: String, width: Int) async throws -> [String] {
    let script = """
      <script>
      const findings = [];
      const wide = document.documentElement.scrollWidth;
      if (wide > innerWidth) findings.push("the page is " + wide + " wide");
      for (const element of document.querySelectorAll("main *")) {
        if (element instanceof HTMLUnknownElement) findings.push("unknown: " + element.tagName);
        for (const attribute of element.attributes)
          if (/NaN|inf|nil|Optional/.test(attribute.value)) findings.push(attribute.value);
        if (/NaN|Optional\\(/.test(element.textContent)) findings.push(element.textContent);
      }
      for (const drawing of document.querySelectorAll("svg")) {
        const box = drawing.getBBox(), view = drawing.viewBox.baseVal;
        if (box.x < -1 || box.y < -1 || box.x + box.width > view.width + 1
            || box.y + box.height > view.height + 1) findings.push("a drawing sticks out");
      }
      for (const cell of document.querySelectorAll("table tr"))
        if (cell.children.length != cell.parentElement.children[0].children.length)
          findings.push("a row has another number of cells");
      document.body.innerHTML = "<pre id=findings>" + findings.map(encodeURIComponent) + "</pre>";
      </script></body>
      """
    let changed = page.replacing("</body>", with: script)
    let document = try await run(changed, ["--dump-dom", "--window-size=\(width),900"])
    let found = try #require(
      document.firstMatch(of: /id="findings">(.*?)<\/pre>/), "no script ran in \(document)")
    return found.1.split(separator: ",").map { $0.removingPercentEncoding ?? String($0) }
  }

  /// The text of a page.
  func text(of page: String) async throws -> String {
    let script = """
      <script>
      const text = document.body.innerText;
      document.body.innerHTML = "<pre id=text></pre>";
      document.getElementById("text").textContent = text;
      </script></body>
      """
    return try await run(page.replacing("</body>", with: script), ["--dump-dom"])
  }

  /// Opens a page.
  ///
  /// - Returns: The browser's output.
  /// - Throws: ``Failure``.
  private func run(_ page: String, _ arguments: [String]) async throws -> String {
    let file = directory.appending(path: "page.html")
    try Data(page.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: Self.path ?? "")
    process.arguments =
      ["--no-sandbox", "--disable-gpu", "--user-data-dir=\(directory.path())/profile"]
      + arguments + [file.absoluteString]
    let (output, messages) = (
      directory.appending(path: "output"), directory.appending(path: "messages")
    )
    for file in [output, messages] {
      _ = FileManager.default.createFile(atPath: file.path(), contents: nil)
    }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: messages)
    try await process.runToItsEnd(within: .seconds(120))
    guard process.terminationStatus == 0 else {
      throw Failure(
        status: process.terminationStatus,
        messages: String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}
