import KinshipTestSupport

struct Register: SequentialModel {
  enum Operation: Hashable, Sendable {
    case read
    case write(Int)
    case swap(Int, for: Int)
  }

  var value = 0

  /// Answers what the register held before.
  mutating func apply(_ operation: Operation) -> Int {
    defer {
      switch operation {
      case .read: break
      case .write(let new): value = new
      case .swap(let old, let new): if value == old { value = new }
      }
    }
    return value
  }
}

typealias RegisterHistory = History<Register.Operation, Int>

extension Register.Operation {
  static func random(using generator: inout SplitMix64) -> Self {
    let value = Int.random(in: 0..<3, using: &generator)
    return switch Int.random(in: 0..<3, using: &generator) {
    case 0: .read
    case 1: .write(value)
    default: .swap(Int.random(in: 0..<3, using: &generator), for: value)
    }
  }
}

/// A history of clients that call a register at random moments.
///
/// The calls take effect at random moments before they return.
func linearizableHistory(
  clients: Int, operations: Int, using generator: inout SplitMix64
) -> RegisterHistory {
  enum Phase { case idle, called(Int), effective(Int, response: Int) }
  var register = Register()
  var phases = Array(repeating: Phase.idle, count: clients)
  var remaining = Array(repeating: operations, count: clients)
  var history = RegisterHistory()
  var time = 0
  while let client = phases.indices.filter({ client in
    if case .idle = phases[client] { remaining[client] > 0 } else { true }
  }).randomElement(using: &generator) {
    switch phases[client] {
    case .idle:
      remaining[client] -= 1
      phases[client] = .called(history.entries.count)
      history.entries.append(.init(.random(using: &generator), invoked: time, returned: nil))
      time += 1
    case .called(let index):
      let response = register.apply(history.entries[index].operation)
      phases[client] = .effective(index, response: response)
    case .effective(let index, let response):
      let entry = history.entries[index]
      history.entries[index] = .init(
        entry.operation, invoked: entry.invoked, returned: (time, response))
      phases[client] = .idle
      time += 1
    }
  }
  return history
}

/// Tries every order of every set of entries that includes all returned ones.
func hasLinearization(_ history: RegisterHistory) -> Bool {
  func extend(_ model: Register, _ remaining: [RegisterHistory.Entry]) -> Bool {
    if remaining.allSatisfy({ $0.returned == nil }) { return true }
    return remaining.indices.contains { index in
      let entry = remaining[index]
      let comesFirst = remaining.allSatisfy { other in
        other.returned.map { $0.time > entry.invoked } ?? true
      }
      var next = model
      let response = next.apply(entry.operation)
      guard comesFirst, entry.returned.map({ $0.response == response }) ?? true else {
        return false
      }
      var rest = remaining
      rest.remove(at: index)
      return extend(next, rest)
    }
  }
  return extend(Register(), history.entries)
}
