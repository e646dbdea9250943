import FuzzingSupport
import Kinship

/// Writes some snapshots before fuzzing begins.
@_cdecl("LLVMFuzzerInitialize")
public func beginFuzzingSnapshots(
  _ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  writeSeeds { try await Seeds.make() }
  return 0
}

/// Restores a snapshot that some bytes describe.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSnapshot(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let trial = Trial(UnsafeBufferPointer(start: start, count: count)) else { return 0 }
  run { try await trial.run() }
  return 0
}
