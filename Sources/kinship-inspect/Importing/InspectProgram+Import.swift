import Foundation
import Kinship
import KinshipFileStore
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  /// Creates a new store or a new snapshot from a text file.
  func importRecords(_ options: Options) throws -> ExitStatus {
    guard let target = options.to else { return .usage }
    let path = options.operands[0]
    var meter = ProgressMeter("Reading \(path)", on: console)
    defer { meter.end() }
    var new =
      path.hasSuffix(".csv")
      ? try table(path, options, &meter) : try lines(path, options, &meter)
    let count: Int
    do throws(KinshipError) { count = try new.finish() } catch {
      throw Failure(writing: error, to: target)
    }
    meter.end()
    try console.write("\(count.counted("record")) written to \(target)\n")
    return .success
  }

  private func lines(
    _ path: String, _ options: Options, _ meter: inout ProgressMeter
  ) throws(Failure) -> RecordImport {
    var (file, count) = (try TextFile(path, in: files), 0)
    if options.format == .snapshot {
      // A snapshot begins with how many there are.
      while let line = try file.next() {
        if !line.isBlank { count += 1 }
        meter.update(file.share)
      }
      file = try TextFile(path, in: files)
    }
    var new = try begin(options, count)
    while let line = try file.next() {
      meter.update(file.share)
      if line.isBlank { continue }
      let record: NewRecord
      do { record = try ImportedLine(line, renamed: options.renamed).record } catch {
        throw file.failure(error, in: line, from: file.line)
      }
      try add(record, to: &new, options) {
        file.failure(TextFault(place: 0, cause: $0), in: line, from: file.line)
      }
    }
    return new
  }

  private func table(
    _ path: String, _ options: Options, _ meter: inout ProgressMeter
  ) throws -> RecordImport {
    var file = try CSVFile(TextFile(path, in: files))
    for column in options.texts where !file.head.contains(column) {
      throw CommandLineMistake(
        "there is no column \(column.quoted). The columns are \(file.columns)")
    }
    guard file.head.contains("id") else {
      throw Failure(
        status: .badData, subject: path,
        message:
          "there is no column “id”. The columns are \(file.columns): rename the one of the key to "
          + "“id”"
      )
    }
    // The possible kinds of each column, after the rows that were read.
    var kinds = file.head.map { options.texts.contains($0) ? [.text] : ColumnKind.allCases }
    var count = 0
    while let row = try file.next() {
      for case (let column, let field?) in row.fields.enumerated() {
        kinds[column].removeAll { $0.value(of: field) == nil }
      }
      count += 1
      meter.update(file.share / 2)
    }
    file = try CSVFile(TextFile(path, in: files))
    let name = options.records ?? ""
    let type = TypeName(name: options.renamed[name] ?? name, version: options.recordVersion)
    var new = try begin(options, count)
    while let row = try file.next() {
      meter.update(0.5 + file.share / 2)
      var fields = RecordFields()
      for (name, (field, kinds)) in zip(file.head, zip(row.fields, kinds)) {
        fields[name] = field.flatMap { kinds[0].value(of: $0) }
      }
      guard let id = fields["id"] else { throw file.failure("the record has no id", of: row, 0) }
      try add(NewRecord(type: type, id: id, value: .fields(fields)), to: &new, options) {
        file.failure($0, of: row, 0)
      }
    }
    return new
  }

  private func begin(_ options: Options, _ count: Int) throws(Failure) -> RecordImport {
    let coder: any RecordCoder = options.coder == .json ? JSONCoder() : CompactCoder()
    let target = options.to ?? ""
    let moment = Int(Date().timeIntervalSince1970 * 1_000)
    do {
      return try RecordImport(
        to: target,
        as: options.format == .snapshot ? .snapshot(count: count, moment: moment) : .store,
        coder: coder, in: files)
    } catch {
      throw Failure(writing: error, to: target)
    }
  }

  private func add(
    _ record: NewRecord, to new: inout RecordImport, _ options: Options,
    refused: (String) -> Failure
  ) throws(Failure) {
    do { try new.add(record) } catch {
      switch error {
      case .record(let cause): throw refused(cause)
      case .file(let error): throw Failure(writing: error, to: options.to ?? "")
      }
    }
  }
}

extension [UInt8] {
  fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
