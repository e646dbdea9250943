/// The files that the tutorials show, and those that are compiled.
package struct TutorialCode {
  /// The folder of the files that are shown.
  package static let folder = "Sources/Kinship/Kinship.docc/Tutorials/Code"
  /// The tutorials in their order: each continues from the end of the one before.
  package static let names = ["Memory", "Database", "Screens", "WarmStart"]

  /// The imported modules, and all other lines of code, without conditions.
  package let imports: Set<String>
  package let lines: [String]

  package init(_ file: RepositoryFile) {
    var imports: Set<String> = []
    var lines: [String] = []
    for line in file.lines {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("import ") {
        imports.insert(String(text.dropFirst(7)))
      } else if !text.isEmpty, !text.hasPrefix("#if "), text != "#endif" {
        lines.append(line)
      }
    }
    self.imports = imports
    self.lines = CodeExample(lines: lines).lines
  }
}
