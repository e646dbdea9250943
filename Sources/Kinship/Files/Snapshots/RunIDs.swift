/// The ids of the records of a run.
///
/// The tasks that decode the records collect the ids in parallel: accessing a record whose type the
/// compiler does not know is slow, and one task does the rest for all.
enum RunIDs: Sendable {
  case integers([Int])
  case texts([String])
  case others([any Hashable & Sendable])

  /// The ids of an array.
  init<ID: Hashable & Sendable>(_ ids: [ID]) {
    if let ids = ids.asArray(of: Int.self) {
      self = .integers(ids)
    } else if let ids = ids.asArray(of: String.self) {
      self = .texts(ids)
    } else {
      self = .others(ids)
    }
  }

  /// An id.
  func id(at index: Int) -> any Hashable & Sendable {
    switch self {
    case .integers(let ids): ids[index]
    case .texts(let ids): ids[index]
    case .others(let ids): ids[index]
    }
  }
}
