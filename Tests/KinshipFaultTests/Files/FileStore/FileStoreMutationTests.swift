import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipTrials

/// Law F3 for a store with inserted, removed or swapped bytes and files.
@Suite(.dedicatedThreads, .tags(.lawF3))
struct FileStoreMutationTests {
  typealias Image = StoreImage

  /// Opens files and reads everything.
  ///
  /// - Returns: Whether everything is as it was written. If not, an error has reported it.
  static func isWhole(_ files: [String: [UInt8]], _ image: Image) async throws -> Bool {
    do {
      let store = try await FileStore.small(in: FileStoreDamageTests.disk(files))
      let found = try await StoredState(of: store)
      try verifyEqual(found, image.state, "what is found without an error")
      return true
    } catch KinshipError.file(.damaged), KinshipError.file(.foreign),
      KinshipError.file(.newerFormat), KinshipError.file(.unknownCoder)
    {
      return false
    }
  }

  /// Salvages files: every record found was written, and every missing one is reported.
  static func salvage(_ files: [String: [UInt8]], _ image: Image) async throws {
    do {
      let disk = FileStoreDamageTests.disk(files)
      let store = try await FileStore.small(in: disk, damage: .salvage)
      let found = try await StoredState(of: store)
      try verify(image.wasWritten(found), "nobody has written \(found)")
      if found != image.state {
        try verify(!store.report.damage.isEmpty, "nobody reports what is lost")
      }
      let again = try await FileStore.small(in: disk.copy())
      try verifyEqual(try await StoredState(of: again), found, "what is left of a salvage")
    } catch KinshipError.file(.foreign), KinshipError.file(.newerFormat),
      KinshipError.file(.unknownCoder)
    {}
  }

  @Test(arguments: [true, false])
  func `moved bytes and files are detected or harmless`(isClosed: Bool) async throws {
    let effort = try Effort()
    let (whole, refused) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for seed in effort.seeds(24) {
        group.addTask {
          let image = try await Image(seed: seed, closing: isClosed)
          let spans = image.spans
          var (whole, refused) = (0, 0)
          for number in 0..<100 {
            var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(number), of: seed))
            let mutation = FileMutation.random(
              of: image.files, spans: spans, using: &generator)
            var files = image.files
            mutation.apply(to: &files)
            if files.isEmpty { continue }
            // If all evidence is damaged too, the change cannot be noticed.
            let changed = files.filter { image.files[$0.key] != $0.value }.keys
            if changed.count > 1, changed.contains(SegmentName.mark) { continue }
            do {
              if try await Self.isWhole(files, image) { whole += 1 } else { refused += 1 }
              if number.isMultiple(of: 4) { try await Self.salvage(files, image) }
            } catch { throw Mismatch("seed \(seed), trial \(number), \(mutation): \(error)") }
          }
          return (whole, refused)
        }
      }
      return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
    }
    print("Mutated stores, closed \(isClosed): \(whole) whole all the same, \(refused) refused.")
    #expect(whole > 0 && refused > 0)
  }

  /// After a loss of power the mark may be missing.
  ///
  /// Later commits prove the earlier ones, wherever they are.
  @Test func `later commits prove earlier ones if the mark is missing`() async throws {
    var files = try await FileStoreDamageTests.files(closing: false, smallestSegment: 1 << 16)
    files[SegmentName.mark] = nil
    let bytes = try #require(files[SegmentName.log(1)])
    #expect(try await FileStore.small(in: FileStoreDamageTests.disk(files)).report.cut == nil)
    let ends = bytes.spansOfFrames.filter { $0.upperBound == bytes.count }
    let last = try #require(ends.map(\.lowerBound).min())
    for place in try Effort().some(of: FileHeader.size..<last - 2) {
      var (longer, shorter) = (bytes, bytes)
      longer.insert(contentsOf: [0, 17, 255], at: place)
      shorter.removeSubrange(place..<place + 3)
      for mutated in [longer, shorter] {
        files[SegmentName.log(1)] = mutated
        await #expect("byte \(place)") {
          _ = try await FileStore.small(in: FileStoreDamageTests.disk(files))
        } throws: { error in
          if case KinshipError.file(.damaged) = error { true } else { false }
        }
      }
    }
    // By its bytes alone the last commit looks like one that was not written to its end.
    files[SegmentName.log(1)] = bytes.dropLast()
    let cut = try await FileStore.small(in: FileStoreDamageTests.disk(files))
    #expect(cut.report.cutBytes == bytes.count - last - 1)
  }
}
