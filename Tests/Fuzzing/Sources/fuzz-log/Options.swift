/// The operations on a store: the first byte of an input.
struct Options: OptionSet {
  let rawValue: UInt8

  /// The rest of the input is the first segment, not a description.
  static let raw = Options(rawValue: 1)
  static let salvaging = Options(rawValue: 2)
  /// Records are written as JSON from now on.
  static let json = Options(rawValue: 4)
  static let compacting = Options(rawValue: 8)
}
