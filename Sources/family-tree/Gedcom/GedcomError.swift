/// Why a file was not read at all.
enum GedcomError: Error, Equatable {
  /// The file has no bytes.
  case empty
  /// Not one line of the file is a GEDCOM line of level 0.
  case noRecords

  /// The line it is about; nil for the whole file.
  var line: Int? { self == .empty ? nil : 1 }

  var message: String {
    switch self {
    case .empty: "the file is empty"
    case .noRecords: "this is not a GEDCOM file: not one line reads like `0 HEAD`"
    }
  }
}
