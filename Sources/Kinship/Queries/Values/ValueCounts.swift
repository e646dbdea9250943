/// The number of occurrences of each of some values.
///
/// Values that are not equal to themselves, such as NaN, count as one: in a dictionary, each would
/// be a key of its own, and every lookup would have to compare with all of them.
package struct ValueCounts<Value: Hashable & Sendable>: Sendable {
  private var equal: [Value: Int] = [:]
  private var other: (value: Value, count: Int)?

  package init() {}

  init(_ values: some Sequence<Value>) {
    for value in values { add(value) }
  }

  /// Counts the values of a property in some records.
  package init<R>(of property: any KeyPath<R, Value> & Sendable, in records: some Sequence<R>) {
    let value = PropertyReader(property)
    for record in records { add(value(record)) }
  }

  package mutating func add(_ value: Value, _ count: Int = 1) {
    if value == value {
      equal[value, default: 0] += count
    } else {
      other = (value, count + (other?.count ?? 0))
    }
  }

  /// The number of occurrences of each value.
  package var dictionary: [Value: Int] {
    guard let other else { return equal }
    var dictionary = equal
    dictionary[other.value] = other.count
    return dictionary
  }
}
