/// The key of a record in the reference world, whatever the type of its id.
struct Key: Hashable, Comparable, Sendable, CustomStringConvertible {
  let kind: Kind
  let number: Int

  init(_ kind: Kind, _ number: Int) {
    self.kind = kind
    self.number = number
  }

  var description: String { "\(kind)-\(number)" }

  static func < (left: Key, right: Key) -> Bool {
    (left.kind.rawValue, left.number) < (right.kind.rawValue, right.number)
  }

  /// The numbers of each kind: few, so that commands conflict.
  static let numbers = 0..<6

  /// Every key that commands use.
  static let all = Kind.allCases.flatMap { kind in numbers.map { Key(kind, $0) } }
}
