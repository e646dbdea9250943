import Kinship

/// A place: all that a file tells of it is its name, which is therefore its identity.
struct Place: GraphRecord, Codable, Hashable {
  let id: String

  var name: String { id }

  /// `Kensington, London` for `Kensington,,London`.
  var readableName: String {
    id.split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
