import Foundation
import KinshipProgram

@main
enum Main {
  static func main() {
    let program = InspectProgram(console: StandardConsole())
    exit(program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
