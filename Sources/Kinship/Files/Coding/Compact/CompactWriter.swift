/// Writes one value after another in the compact form, as their containers ask for it.
///
/// Containers are written as they come, one within the other, and so is what is in them. Each has a
/// frame for as long as it may be written to; the last frame is that of the innermost container.
/// Where a value writes to several nested containers in turn, it is encoded anew with
/// ``CompactOutput/isDetaching``.
final class CompactWriter {
  /// What changes with every value, behind a pointer: access to a class's properties is checked at
  /// run time.
  let output: UnsafeMutablePointer<CompactOutput>
  let table: KeyTable
  let leaves: LeafTypes
  let userInfo: [CodingUserInfoKey: any Sendable]

  /// What went wrong where nothing can be thrown.
  private(set) var failure: EncodingError?

  var detached: [(position: Int, writer: CompactWriter)] = []
  let outerPath: [any CodingKey]
  let outerDepth: UInt8

  init(
    _ table: KeyTable, _ userInfo: [CodingUserInfoKey: any Sendable],
    path: [any CodingKey] = [], depth: UInt8 = 0
  ) {
    self.table = table
    leaves = table.leaves
    self.userInfo = userInfo
    outerPath = path
    outerDepth = depth
    output = .allocate(capacity: 1)
    output.initialize(to: CompactOutput())
  }

  deinit {
    output.deinitialize(count: 1)
    output.deallocate()
  }

  /// Encodes a value as all there is.
  func encode<Value: Encodable>(_ value: Value) throws {
    reset()
    if writeLeaf(value) {
      if let failure { throw failure }
      return
    }
    defer { seal() }
    let frame = push(isValue: true)
    try value.encode(to: CompactEncoder(writer: self, frame: frame))
    let state = output.pointee.frames[0].state
    popFrames(to: 0)
    if let failure { throw failure }
    guard state != .awaiting, state != .single else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(Value.self) encodes nothing"))
    }
  }

  private func reset() {
    output.pointee.bytes.count = 0
    // Only then is there anything: access to it is checked at run time.
    if output.pointee.hasDetached || output.pointee.hasFailed {
      detached.removeAll()
      failure = nil
      output.pointee.hasDetached = false
      output.pointee.hasFailed = false
    }
    output.pointee.isInterleaved = false
    seal()
  }

  /// Makes all containers known so far unusable.
  private func seal() {
    output.pointee.frames.shrink(to: 0)
    output.pointee.serial &+= 1
    output.pointee.top = .init(index: 0, serial: output.pointee.serial)
  }

  /// Keeps the first thing that goes wrong where nothing can be thrown.
  func fail(_ error: any Error) {
    guard failure == nil else { return }
    failure = error as? EncodingError
    output.pointee.hasFailed = true
  }
}
