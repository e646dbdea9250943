internal import Kinship

/// The numbers by which the entries of a segment refer to types.
struct TypeNumbers {
  private struct Version: Hashable {
    let number: Int
    let name: String

    init(_ declaration: TypeDeclaration) {
      name = declaration.name
      number = declaration.version
    }
  }

  private(set) var types: [StoredType] = []
  private var numbers: [Version: Int] = [:]

  /// - Parameter types: The types that the segment already has, by number.
  init(_ types: [StoredType] = []) {
    self.types = types
    for (number, type) in types.enumerated() { numbers[Version(type.declaration)] = number }
  }

  /// The number of a type; a new type is added.
  mutating func number(of type: StoredType) -> Int {
    let version = Version(type.declaration)
    if let number = numbers[version] { return number }
    let number = types.count
    numbers[version] = number
    types.append(
      StoredType(
        declaration: TypeDeclaration(
          number: number, name: type.declaration.name, version: type.declaration.version,
          fields: type.declaration.fields),
        type: type.type, number: type.number, steps: type.steps))
    return number
  }
}
