/// A coding key in the path of an error: a name or a position.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = PathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
