import Foundation
import UIKitSimulator

/// A phone with the example on it, in the hands of a test. What the customer does comes by standard input, a line for each deed; each is
/// answered by a line that begins with a dash. What the app does of itself is said by a line that begins with its name.
///
/// Arguments: the folder in which the app keeps its files, its `Info.plist`, and the link that starts it, if one does.
@main
@MainActor
struct Driver {
    let screen = SimulatedScreen.ofProcess
    let cashier = ScreenSurroundings()
    let sheet = SheetGlass()

    static func main() async throws {
        let arguments = CommandLine.arguments
        let driver = Driver()
        let information = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: URL(fileURLWithPath: arguments[2])), format: nil)
        driver.install(declared: (information as? [String: Any])?["LSApplicationQueriesSchemes"] as? [String] ?? [])
        let delegate = AppDelegate()
        delegate.phone = Phone(
            express: driver.cashier, sheet: driver.sheet, options: FoundationOptions(), folder: URL(fileURLWithPath: arguments[1]))
        driver.screen.launch(delegate, scene: SceneDelegate(), by: arguments.count > 3 ? URL(string: arguments[3]) : nil)
        for await line in lines() { await driver.perform(line) }
    }

    /// The wallets beside the app. Those of the sheet claim the links of this machine too.
    private func install(declared: [String]) {
        screen.declaredSchemes = Set(declared)
        if ProcessInfo.processInfo.environment["WithoutAlipay"] == nil {
            screen.install(schemes: ["alipay"]) { say("alipay", $0.absoluteString) }
        }
        screen.install(schemes: ["billfold-gcash", "billfold-alipayhk", "billfold-tng"], hosts: ["127.0.0.1"]) {
            say("wallet", $0.absoluteString)
        }
    }

    private func perform(_ line: String) async {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "tap": say("-", await isTapped(value) ? "tapped" : "cannot tap \(value) of \(screen.texts)")
        case "until": say("-", await seen(value))
        case "open":
            if let link = URL(string: value) { screen.openInApp(link) }
            say("-", "opened")
        case "front":
            screen.comeToFront()
            say("-", "in front")
        case "sheet": say("-", sheet.hears(value))
        case "cashier": say("-", cashier.ends(value))
        case "faults": say("-", screen.faults.map { "\($0.code.rawValue): \($0.reason)" }.joined(separator: ", "))
        default: say("-", "unknown \(line)")
        }
    }

    /// A button may be there a moment later than the text that a test waited for.
    private func isTapped(_ title: String) async -> Bool {
        for _ in 0..<100 {
            if screen.tap(title) { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    private func seen(_ text: String) async -> String {
        for _ in 0..<1_000 {
            if let found = screen.texts.first(where: { $0.contains(text) }) { return found }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return "never \(text), but \(screen.texts)"
    }

    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// Says a line at once: the test waits for it.
func say(_ name: String, _ value: String) {
    FileHandle.standardOutput.write(Data("\(name) \(value.replacingOccurrences(of: "\n", with: " / "))\n".utf8))
}
