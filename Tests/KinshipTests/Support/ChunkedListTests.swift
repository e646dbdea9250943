import KinshipTestSupport
import Testing

@testable import Kinship

/// A list in chunks equals an array.
struct ChunkedListTests {
  @Test(arguments: [0, 1, 300, 5_000])
  func `a list in chunks equals an array`(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    var model = (0..<count).map { $0 }
    var list = ChunkedList(model)
    for step in 0..<4_000 {
      // It grows to several chunks, shrinks to nothing, and grows again.
      let mayInsert = model.isEmpty || step % 2_000 < 1_000 || step % 7 == 0
      let run = step % 2_000 < 1_000 ? 1 : max(1, count / 300)
      for _ in 0..<run where mayInsert || !model.isEmpty {
        let position = Int.random(in: 0...(model.count - (mayInsert ? 0 : 1)), using: &generator)
        if mayInsert {
          model.insert(step, at: position)
          list.insert(step, at: position)
        } else {
          #expect(list.remove(at: position).element == model.remove(at: position))
        }
      }
      #expect(list.count == model.count)
      let position = Int.random(in: 0...model.count, using: &generator)
      let place = list.place(at: position)
      #expect(list.position(of: place) == position)
      #expect(position < model.count ? list[place] == model[position] : place == list.end)
    }
    #expect(list.chunks.flatMap { $0 } == model)
    #expect(!list.chunks.contains { $0.isEmpty || $0.count > ChunkedList<Int>.largest })
  }
}
