/// The options of a restoration: the first byte of an input.
struct Options: OptionSet {
  let rawValue: UInt8

  /// The rest of the input is the file, not its description.
  static let raw = Options(rawValue: 1)
  static let salvaging = Options(rawValue: 2)
  /// The restored records are saved as JSON.
  static let json = Options(rawValue: 4)
  /// There is a backing store, so missing refs are restored.
  static let storing = Options(rawValue: 8)
  /// There is room for two records only.
  static let small = Options(rawValue: 16)
  /// Old records are left out.
  static let young = Options(rawValue: 32)
}
