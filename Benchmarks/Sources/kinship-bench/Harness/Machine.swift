import Foundation

/// The machine of a run, because figures of different machines are not comparable.
struct Machine: Codable {
  let processor: String
  let cores: Int
  let memoryGB: Int
  let system: String
  let swift: String
  let build: String
  /// The load average of the last minute at the start, which shows other work of the machine.
  let load: Double?

  static func current() -> Machine {
    let process = ProcessInfo.processInfo
    var load = 0.0
    let isLoadKnown = getloadavg(&load, 1) == 1
    return Machine(
      processor: processorName() ?? "unknown", cores: process.activeProcessorCount,
      memoryGB: Int((Double(process.physicalMemory) / 1e9).rounded()),
      system: process.operatingSystemVersionString, swift: swiftVersion, build: buildName,
      load: isLoadKnown ? load : nil)
  }

  var summary: String {
    "\(processor), \(cores) cores, \(memoryGB) GB, \(system), Swift \(swift), \(build) build"
  }

  private static func processorName() -> String? {
    guard let facts = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
      return nil
    }
    let line = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }

  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var buildName: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
