/// How often each of some values comes up.
///
/// Values that are not equal to themselves, as NaN is not, count as one: in a dictionary each would
/// be a key of its own, and looked for past all the others.
package struct ValueCounts<Value: Hashable & Sendable>: Sendable {
  private var equal: [Value: Int] = [:]
  private var other: (value: Value, count: Int)?

  package init() {}

  init(_ values: some Sequence<Value>) {
    for value in values { add(value) }
  }

  /// How many of some records have which value of a property.
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

  /// By each value, how often it comes up.
  package var dictionary: [Value: Int] {
    guard let other else { return equal }
    var dictionary = equal
    dictionary[other.value] = other.count
    return dictionary
  }
}
