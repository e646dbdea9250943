import Foundation

/// A link in an article, a tutorial or a comment, except those to symbols and articles, which the
/// documentation compiler resolves.
package struct DocumentLink {
  package let target: String
  /// The number of its line in the file.
  package let line: Int

  package init(target: String, line: Int) {
    self.target = target
    self.line = line
  }

  /// The links of a file outside of blocks of code; in a source, those in its comments.
  package static func all(in file: RepositoryFile) -> [DocumentLink] {
    let isSource = file.name.hasSuffix(".swift")
    var isCode = false
    return file.lines.enumerated().flatMap { number, line -> [DocumentLink] in
      let text = line.drop { $0 == " " || $0 == "/" }
      if text.hasPrefix("```") { isCode.toggle() }
      if isCode || isSource && !line.drop(while: { $0 == " " }).hasPrefix("//") { return [] }
      // The search for patterns is slow.
      guard text.contains("](") || text.contains("://") else { return [] }
      let named = text.matches(of: /\]\(([^)\s]+)[^)]*\)/).map { String($0.1) }
      let bare = text.matches(of: /https?:\/\/[^\s)>"'`]*[^\s)>"'`.,;:]/).map { String($0.0) }
      return Set(named + bare).filter { !$0.hasPrefix("doc:") }.sorted().map {
        DocumentLink(target: $0, line: number + 1)
      }
    }
  }

  /// The fault of the link, in a file of this package: it leads to no file, no heading, or no
  /// secure address.
  ///
  /// The test makes no request to an address.
  package func fault(in file: RepositoryFile) -> String? {
    if target.contains("://") {
      guard let url = URL(string: target), url.scheme == "https",
        url.host()?.contains(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/) == true
      else { return "\(target) is no address of https" }
      return nil
    }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var other = file
    if let path = parts.first, !path.isEmpty {
      let folder = file.path.split(separator: "/").dropLast()
      let whole = (folder + path.split(separator: "/")).reduce(into: [Substring]()) {
        if $1 == ".." { _ = $0.popLast() } else { $0.append($1) }
      }
      guard let found = try? RepositoryFile(whole.joined(separator: "/")) else {
        return "\(path) is not there"
      }
      other = found
    }
    guard parts.count > 1 else { return nil }
    return Self.anchors(in: other).contains(String(parts[1]))
      ? nil : "\(other.path) has no heading #\(parts[1])"
  }

  /// The names of an article's headings in links.
  private static func anchors(in file: RepositoryFile) -> Set<String> {
    Set(
      file.lines.compactMap { line in
        guard let heading = line.firstMatch(of: /^#+ +(.*)$/)?.1 else { return nil }
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return kept.replacing(" ", with: "-")
      })
  }
}
