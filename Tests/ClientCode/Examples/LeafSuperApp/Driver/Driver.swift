import Foundation
import UIKitSimulator

/// A phone with the example on it, in the hands of a test. What the person does comes by standard input, a line for each deed; each is
/// answered by a line that begins with a dash. What the app does of itself is said by a line that begins with its name.
///
/// Arguments: the folder in which the app keeps its files.
@main
@MainActor
struct Driver {
    let screen = SimulatedScreen.ofProcess

    static func main() async {
        let driver = Driver()
        driver.screen.install(schemes: ["nobody"], hosts: ["127.0.0.1"]) { say("browser", $0.absoluteString) }
        let delegate = AppDelegate()
        delegate.folder = URL(fileURLWithPath: CommandLine.arguments[1])
        driver.screen.launch(delegate, scene: SceneDelegate())
        for await line in lines() { await driver.perform(line) }
    }

    private func perform(_ line: String) async {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts.first {
        case "tap": say("-", await isTapped(value) ? "tapped" : "cannot tap \(value) of \(screen.texts)")
        case "until": say("-", await seen(value))
        case "texts": say("-", screen.texts.joined(separator: " | "))
        case "open":
            if let link = URL(string: value) { screen.openInApp(link) }
            say("-", "opened")
        case "front":
            screen.comeToFront()
            say("-", "in front")
        case "faults": say("-", screen.faults.map { "\($0.code.rawValue): \($0.reason)" }.joined(separator: ", "))
        default: say("-", "unknown \(line)")
        }
    }

    /// A button may be there a moment later than the text that a test waited for.
    private func isTapped(_ title: String) async -> Bool {
        for _ in 0..<250 {
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
