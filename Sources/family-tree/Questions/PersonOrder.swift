import Kinship

/// Something to sort persons by.
struct PersonOrder: Equatable, Sendable {
  enum Key: String, CaseIterable, Sendable {
    case name, surname, born, died
    /// The order of the file.
    case file
  }

  let key: Key
  var isDescending = false

  static let usage =
    "\(Key.allCases.map(\.rawValue).joined(separator: ", ")), with commas between several and "
    + "a minus before what is to descend"

  /// Reads keys such as `surname,-born`; nil if one of them is none.
  static func list(_ text: String) -> [PersonOrder]? {
    var order: [PersonOrder] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isDescending = word.hasPrefix("-")
      guard let key = Key(rawValue: String(isDescending ? word.dropFirst() : word)) else {
        return nil
      }
      order.append(PersonOrder(key: key, isDescending: isDescending))
    }
    return order
  }

  /// A query that sorts by it as well, where it leaves persons equal so far.
  ///
  /// Those of whom a year is not known come last either way.
  func sorting(_ query: RecordQuery<Person>) -> RecordQuery<Person> {
    let direction: SortTerm<Person>.Direction = isDescending ? .descending : .ascending
    return switch key {
    case .name: query.sorted(by: \.name.full, direction)
    case .surname: query.sorted(by: \.name.surname, direction)
    case .born: query.sorted(by: \.born, direction, nils: .last)
    case .died: query.sorted(by: \.died, direction, nils: .last)
    case .file: query.sorted(by: \.number, direction)
    }
  }
}
