import Foundation
import Kinship
import KinshipProgram

extension Options {
  /// - Throws: `Failure` if it asks for what does not go together.
  func checkQuestion() throws(Failure) {
    if cursor != nil, page != nil {
      throw .misuse("--page and --after both say where a page begins; leave one out")
    }
    if grouping != nil, !order.isEmpty || isPaged {
      throw .misuse("--count-by counts everybody who is asked for; leave --sort and pages out")
    }
  }

  static func condition(_ text: String) throws(Failure) -> PersonCondition {
    guard let condition = PersonCondition(text) else {
      throw .misuse("--where takes \(PersonCondition.usage); not \(text.quoted)")
    }
    return condition
  }

  static func order(_ text: String) throws(Failure) -> [PersonOrder] {
    guard let order = PersonOrder.list(text) else {
      throw .misuse("--sort takes \(PersonOrder.usage); not \(text.quoted)")
    }
    return order
  }

  static func grouping(_ text: String) throws(Failure) -> PersonGrouping {
    guard let grouping = PersonGrouping(rawValue: text) else {
      throw .misuse("--count-by takes \(PersonGrouping.usage); not \(text.quoted)")
    }
    return grouping
  }

  static func number(
    _ text: String, upTo limit: Int, for name: String
  ) throws(Failure) -> Int {
    guard let number = Int(text), (1...limit).contains(number) else {
      throw .misuse("\(name) takes a number from 1 to \(limit.grouped); not \(text.quoted)")
    }
    return number
  }

  static func cursor(_ text: String) throws(Failure) -> PageCursor<Person> {
    do { return try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(text)) } catch
    {
      throw .misuse("--after takes what a page has ended with; not \(text.quoted)")
    }
  }
}

extension PageCursor<Person> {
  /// What `--after` takes.
  var text: String {
    get throws {
      try JSONDecoder().decode(String.self, from: JSONEncoder().encode(self))
    }
  }
}
