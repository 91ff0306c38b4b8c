import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import Foundation
import NIOCore
import NIOHTTP1

/// `billfold open`: the address of a page of the running servers, in the browser where there is one.
struct OpenCommand: ReplyingCommand {
    /// A page that a person begins at.
    enum Page: String, ExpressibleByArgument, CaseIterable {
        case console, shop, bank, sheet
        case expressOrder = "express-order"
        case superApp = "super-app"
    }

    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the console or a page of the sandbox in the browser, and say its address.",
        discussion: "Pages: \(Page.allCases.map(\.rawValue).joined(separator: ", ")).")

    @Argument(help: "Which page.") var page = Page.console
    @Flag(name: .customLong("print"), help: "Say the address, and open nothing.") var onlyPrints = false
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let addresses = try await place.running()
        let url =
            switch page {
            case .console: try addresses.origin(of: .console) + "/"
            case .shop: try addresses.origin(of: .shop) + "/shop"
            case .bank: try addresses.origin(of: .bankApp) + "/bank"
            case .sheet: try addresses.origin(of: .acquirer) + "/plus-shop/"
            case .expressOrder: try addresses.origin(of: .alipayMerchant) + "/alipay-shop/"
            case .superApp: try addresses.origin(of: .superApp) + "/super-app/"
            }
        // Whether somebody is there, and asks who is asking.
        let answer = try await LocalClient.send(.GET, url, headers: ["Accept": "text/html"], timeout: .seconds(10))
        let needsSignIn = page == .console && ([302, 303, 401].contains(answer.status))
        var lines = [url]
        if needsSignIn { lines.append("sign in as an operator; billfold operators add NAME --roles viewer makes one") }
        let isOpened = !onlyPrints && !json && isatty(STDOUT_FILENO) == 1 && Self.browse(url)
        return CommandReply(
            text: DiagnosisText.lines(lines),
            object: JSONObject([
                .init("address", .string(url)), .init("signIn", .bool(needsSignIn)), .init("opened", .bool(isOpened)),
            ]))
    }

    /// Hands the address to the system, where it has something that opens addresses.
    private static func browse(_ url: String) -> Bool {
        #if os(macOS)
            let opener = "/usr/bin/open"
        #else
            let opener = "/usr/bin/xdg-open"
            guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { ProcessInfo.processInfo.environment[$0] != nil }) else { return false }
        #endif
        guard FileManager.default.isExecutableFile(atPath: opener) else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [url]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }
}
