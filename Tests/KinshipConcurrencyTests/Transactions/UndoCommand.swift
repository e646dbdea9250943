import KinshipTestSupport

@testable import KinshipTrials

/// A command of the user of an undo stack.
enum UndoCommand: Command {
  /// Transactions, as one group or separately.
  case write([[TransactionStep]], isGroup: Bool)
  case undo
  case redo
  /// Drops all records from memory that the store has.
  case trim

  static func random(using generator: inout SplitMix64) -> UndoCommand {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<5:
      let isGroup = generator.chance(0.3)
      return .write(
        (0..<(isGroup ? Int.random(in: 1...3, using: &generator) : 1)).map { _ in
          steps(using: &generator)
        }, isGroup: isGroup)
    case 5..<7: return .undo
    case 7..<9: return .redo
    default: return .trim
    }
  }

  /// Few steps that rarely fail together.
  static func steps(using generator: inout SplitMix64) -> [TransactionStep] {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let step = TransactionStep.random(using: &generator)
      if case .fail = step { return .read(Key(.author, 0)) }
      return step
    }
  }

  var shrunk: [UndoCommand] {
    guard case .write(let transactions, let isGroup) = self else { return [] }
    var simpler: [UndoCommand] = isGroup ? [.write(transactions, isGroup: false)] : []
    for index in transactions.indices {
      for position in transactions[index].indices {
        var fewer = transactions
        fewer[index].remove(at: position)
        if fewer[index].isEmpty { fewer.remove(at: index) }
        if !fewer.isEmpty { simpler.append(.write(fewer, isGroup: isGroup)) }
      }
    }
    return simpler
  }
}
