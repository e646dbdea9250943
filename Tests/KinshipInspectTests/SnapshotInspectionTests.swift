import KinshipProgram
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipFileStore
@testable import KinshipInspection
@testable import KinshipTrials
@testable import kinship_inspect

/// An inspection of a snapshot equals its restoration.
@Suite(.dedicatedThreads)
struct SnapshotInspectionTests {
  static let coders: [any RecordCoder] = [CompactCoder(), JSONCoder()]

  @Test(arguments: coders, [3, 12, 600])
  func `an inspected snapshot equals the saved one`(coder: any RecordCoder, count: Int) async throws
  {
    let lab = try await SnapshotLab(count: count)
    try await lab.save(coder: coder)
    let inspection = try Inspection(of: SnapshotLab.path, in: lab.disk, readsAll: true)
    #expect(inspection.damage.isEmpty)
    let contents = await FamilyContents(of: lab.cache)
    #expect(inspection.records.map(\.name) == contents.order.map { "\($0.typeName):\($0.id)" })
    for record in inspection.records {
      guard let id = record.id?.int else {
        Issue.record("\(record.name) has no number")
        continue
      }
      let value = try record.value()
      if record.type.name == TestPerson.recordName {
        #expect(try value == .encoding(#require(contents.persons[id])))
      } else {
        #expect(try value == .encoding(#require(contents.places[id])))
      }
    }
    guard case .snapshot(let facts) = inspection.kind else { return }
    #expect(facts.size == lab.bytes.count)
    #expect(facts.moment == 1_800_000_000_000)
    #expect(facts.captured == inspection.records.count)
    #expect(facts.coder == coder.name)
  }

  @Test(arguments: coders)
  func `every flipped bit is found and the rest salvaged`(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save(coder: coder)
    let original = await FamilyContents(of: lab.cache)
    var salvaged = 0
    for (number, bit) in try Effort().some(of: 0..<lab.bytes.count * 8).enumerated() {
      var bytes = lab.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      let disk = SnapshotLab.disk(bytes)
      let (status, console) = run("verify", SnapshotLab.path, in: disk)
      #expect([.notFound, .badData].contains(status), "bit \(bit): \(console.output)")
      if number.isMultiple(of: 5), try await salvages(disk, original) { salvaged += 1 }
    }
    #expect(salvaged > 0)
  }

  @Test func `every cut is found`() async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save()
    for end in 0..<lab.bytes.count {
      let disk = SnapshotLab.disk(Array(lab.bytes[..<end]))
      let (status, console) = run("verify", SnapshotLab.path, in: disk)
      #expect([.notFound, .badData].contains(status), "\(end): \(console.output)")
    }
  }

  @Test func `mutated snapshots are detected`() async throws {
    let lab = try await SnapshotLab(count: 40)
    try await lab.save()
    let original = await FamilyContents(of: lab.cache)
    let name = "family.kinship"
    let spans = lab.bytes.spansOfFrames.map { FileMutation.Span(file: name, range: $0) }
    var found = 0
    for seed in try Effort().seeds(1_500) {
      var generator = SplitMix64(seed: seed)
      var files = [name: lab.bytes]
      FileMutation.random(of: files, spans: spans, using: &generator).apply(to: &files)
      guard let bytes = files[name], bytes != lab.bytes else { continue }
      let disk = SnapshotLab.disk(bytes)
      let (status, console) = run("verify", SnapshotLab.path, in: disk)
      #expect([.notFound, .badData].contains(status), "seed \(seed): \(console.output)")
      found += 1
      if seed.isMultiple(of: 4) { _ = try await salvages(disk, original) }
    }
    #expect(found > 0)
  }

  /// Salvages the sound records, and restores the copy, which must be complete.
  ///
  /// - Returns: Whether there was anything to salvage.
  private func salvages(
    _ disk: SimulatedDisk, _ original: FamilyContents
  ) async throws -> Bool {
    let (_, console) = run("salvage", SnapshotLab.path, "--to", "/d/copy", in: disk)
    guard let bytes = disk.files(in: "/d")["copy"] else { return false }
    let copy = SnapshotLab.disk(bytes)
    #expect(run("verify", SnapshotLab.path, in: copy).status == .success, "\(console.output)")
    let cache = try SnapshotLab.emptyCache()
    let report = try await SnapshotLab.restore(into: cache, from: copy)
    #expect(report.failures.isEmpty)
    let contents = await FamilyContents(of: cache)
    #expect(contents.isPart(of: original, ordered: false))
    return true
  }

  /// One frame is missing, and all others are at their places.
  @Test func `a missing frame is found`() async throws {
    let lab = try await SnapshotLab(count: 5)
    try await lab.save()
    let surgery = try SnapshotSurgery(lab.bytes)
    #expect(run("verify", SnapshotLab.path, in: SnapshotLab.disk(surgery.bytes)).status == .success)
    for frame in surgery.frames.indices {
      var other = surgery
      other.frames.remove(at: frame)
      let (status, _) = run("verify", SnapshotLab.path, in: SnapshotLab.disk(other.bytes))
      #expect(status == .notFound, "without frame \(frame)")
    }
  }

  @Test func `nothing may follow the footer`() async throws {
    let lab = try await SnapshotLab(count: 5)
    try await lab.save()
    let surgery = try SnapshotSurgery(lab.bytes)
    let footer = try #require(surgery.frames.last)
    let type = try #require(surgery.frames.first { $0.kind == SnapshotFrame.type.rawValue })
    for frame in [footer, type] {
      var other = surgery
      other.frames.append(frame)
      let (status, console) = run("verify", SnapshotLab.path, in: SnapshotLab.disk(other.bytes))
      #expect(status == .notFound)
      #expect(console.output.contains("Something follows the footer"))
    }
  }

  @Test func `a snapshot of a later version is rejected`() async throws {
    let lab = try await SnapshotLab(count: 3)
    try await lab.save()
    for version in [FileHeader.Kind.snapshot.newestVersion + 1, 9] {
      let bytes = FileHeader(.snapshot, version: version).bytes + lab.bytes[FileHeader.size...]
      for command in ["show", "verify", "diff"] {
        let paths = Array(repeating: SnapshotLab.path, count: command == "diff" ? 2 : 1)
        let console = RecordedConsole()
        let status = InspectProgram(console: console, files: SnapshotLab.disk(bytes))
          .run([command] + paths)
        #expect(status == .badData)
        #expect(console.complaints.first?.contains("\(version)") == true, "\(console.complaints)")
      }
    }
  }

  @Test func `the cursor of a snapshot is shown and copied`() throws {
    let disk = SimulatedDisk()
    let head = SnapshotHead(
      coder: "compact", moment: 0, count: 0, cursors: [StoreCursor("log 1 2 3")])
    var snapshot = try SnapshotFile("old", in: disk.openDirectory("/"), head)
    try snapshot.publish()
    #expect(run("verify", "/old", in: disk).console.output == "0 records, all sound\n")
    #expect(run("salvage", "/old", "--to", "/new", in: disk).status == .success)
    for path in ["/old", "/new"] {
      let shown = run("show", path, in: disk).console.output
      #expect(shown.contains("\n  format           2\n"))
      #expect(shown.contains("\n  cursor           “log 1 2 3”\n"))
      let json = run("show", path, "--json", in: disk).console.output
      #expect(json.contains(#""format":2,"#) && json.contains(#""cursor":"log 1 2 3","#))
    }
  }

  @Test func `ages are read and copied`() async throws {
    let lab = try await SnapshotLab(count: 5)
    try await lab.save()
    let cache = try SnapshotLab.emptyCache()
    try await SnapshotLab.restore(into: cache, from: lab.disk, after: 90.5)
    try await cache.put(TestPlace(id: 99, name: "New"))
    _ = try await cache.snapshot(to: "/d/later", in: lab.disk, at: SnapshotLab.moment)
    let inspection = try Inspection(of: "/d/later", in: lab.disk, readsAll: true)
    let ages = inspection.records.map(\.age)
    #expect(ages.count == 9)
    for (record, age) in zip(inspection.records, ages) {
      let youngest = record.id == 99 ? 0 : 905
      #expect((youngest..<youngest + 600).contains(try #require(age)))
    }
    #expect(
      inspection.types.compactMap(\.ages).map(\.upperBound).max() == ages.compactMap(\.self).max())
    #expect(run("salvage", "/d/later", "--to", "/d/copy", in: lab.disk).status == .success)
    let copy = try Inspection(of: "/d/copy", in: lab.disk, readsAll: true)
    #expect(copy.records.map(\.age) == ages)
    #expect(copy.records.map(\.name) == inspection.records.map(\.name))
  }

  @Test func `a copied snapshot keeps the answers to queries`() async throws {
    let disk = SimulatedDisk()
    _ = try disk.openDirectory("/d", creating: true)
    let cache = try SnapshotLab.emptyCache()
    var list = cache.observe(RecordQuery<TestPerson>()).makeAsyncIterator()
    _ = try await list.next()
    _ = try await cache.snapshot(to: SnapshotLab.path, in: disk, at: SnapshotLab.moment)
    #expect(run("verify", SnapshotLab.path, in: disk).0 == .success)
    _ = run("salvage", SnapshotLab.path, "--to", "/d/other", in: disk)
    for path in [SnapshotLab.path, "/d/other"] {
      let inspection = try Inspection(of: path, in: disk, readsAll: true)
      guard case .snapshot(let facts) = inspection.kind else { return }
      #expect(facts.answers.count == 1 && facts.formatVersion == 3)
    }
    withExtendedLifetime(list) {}
  }

  @Test func `leases, missing ids and the cursor are shown`() async throws {
    let lab = try await SnapshotLab(count: 4)
    try await lab.save()
    var surgery = try SnapshotSurgery(lab.bytes)
    let number = 0
    var ids: [UInt8] = []
    ids.append(text: "")
    ids.append(varint: number)
    ids.append(texts: [])
    ids.append(varint: 2)
    ids += [1, 40, 1, 41]
    var lease = ids
    lease.replaceSubrange(0..<1, with: [1, UInt8(ascii: "L")])
    let footer = try #require(surgery.frames.last)
    surgery.frames.removeLast()
    surgery.frames.append((SnapshotFrame.lease.rawValue, lease))
    surgery.frames.append((SnapshotFrame.missing.rawValue, ids))
    var end: [UInt8] = Array(footer.payload.dropLast(2))
    end += [2, 1]
    surgery.frames.append((SnapshotFrame.footer.rawValue, end))
    let disk = SnapshotLab.disk(surgery.bytes)
    let inspection = try Inspection(of: SnapshotLab.path, in: disk, readsAll: true)
    #expect(inspection.damage.isEmpty, "\(inspection.damage)")
    guard case .snapshot(let facts) = inspection.kind else { return }
    #expect(facts.missing.map(\.ids) == [[40, 41]])
    #expect(facts.leases.map(\.name) == ["L"])
    let (_, console) = run("show", SnapshotLab.path, in: disk)
    #expect(console.output.contains("lease “L”"))
    #expect(console.output.contains("missing"))
  }
}
