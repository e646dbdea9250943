import KinshipProgram

/// A line of a document together with all that stands below it.
struct GedcomStructure: Sendable {
  private let document: GedcomDocument
  private let index: Int
  private var entry: GedcomDocument.Entry { document.entries[index] }

  fileprivate init(document: GedcomDocument, index: Int) {
    self.document = document
    self.index = index
  }

  var lineNumber: Int { entry.lineNumber }
  var xref: String? { entry.xref }
  var tag: String { entry.tag }

  /// The value as a reader should see it; nil where there is none.
  var text: String? {
    let text = GedcomText.unescaped(entry.value, isVersion7: document.isVersion7).readable
    return text.isEmpty ? nil : text
  }

  /// The xref that the value points to, if it is a pointer and not version 7's way to point to
  /// nothing.
  var pointer: String? {
    guard let pointer = GedcomText.pointer(entry.value), pointer != "@VOID@" else { return nil }
    return pointer
  }

  /// Whether the value is a pointer to nothing, on purpose.
  var pointsNowhere: Bool { GedcomText.pointer(entry.value) == "@VOID@" }

  /// The structures one level below.
  var children: GedcomStructures {
    GedcomStructures(document: document, range: (index + 1)..<entry.end)
  }

  /// The first structure below with a tag.
  subscript(_ tag: String) -> GedcomStructure? {
    children.first { $0.tag == tag }
  }
}

/// Structures side by side, in the order of the file.
struct GedcomStructures: Sequence, IteratorProtocol {
  private let document: GedcomDocument
  private var range: Range<Int>

  init(document: GedcomDocument, range: Range<Int>) {
    self.document = document
    self.range = range
  }

  mutating func next() -> GedcomStructure? {
    guard let index = range.first else { return nil }
    range = document.entries[index].end..<range.upperBound
    return GedcomStructure(document: document, index: index)
  }
}
