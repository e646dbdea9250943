import Foundation
import KinshipProgram

@main
enum Main {
  static func main() async {
    let program = FamilyTreeProgram(console: StandardConsole())
    let status = await program.run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }
}
