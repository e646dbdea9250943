extension KinshipError {
  /// Whether a store says by it that it has changed nothing.
  var isRefusal: Bool {
    switch self {
    case .fetchFailed, .commitFailed, .fileFailed, .damaged: false
    default: true
    }
  }

  /// The record that the store has otherwise than memory.
  var contradiction: AnyRef? {
    switch self {
    case .conflict(let ref, _, _), .exists(let ref), .missing(let ref): ref
    default: nil
    }
  }
}
