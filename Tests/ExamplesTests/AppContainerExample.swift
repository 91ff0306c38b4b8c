import AppContainer
import Foundation
import Testing
import WalletAPI

struct AppContainerExample {
    // Example
    /// Starts the mini program of a folder, whose scripts are CommonJS; those with ES modules need a packer besides.
    func start(_ folder: URL, userID: String, services: WalletServices, screen: any JSAPIHost) throws -> MiniProgram {
        let wallet = WalletHost(
            services: services, authorization: AuthorizationWorkflow(services: services),
            deepLinks: DeepLinkWorkflow(services: services, policy: { _ in DeepLinkPolicy(scenes: ["SCAN"]) }), screen: screen)
        let setup = MiniProgramSetup(
            code: try MiniProgramCode(folder: folder),
            identity: MiniProgramIdentity(appID: "2021001", authClientID: "merchant-7", userID: userID),
            grant: MiniProgramGrant(features: ["auth", "payment"], requestDomains: DomainList(["api.shop.example"])), host: wallet,
            clock: { Date.now.timeIntervalSince1970 * 1000 }, seed: UInt64.random(in: 0 ... .max))

        // A script that nobody vouches for runs in a `WorkerProgram` of the same setup.
        let program = MiniProgram(setup)
        program.launch(LaunchOptions(page: "pages/index/index?table=7"))
        return program
    }

    /// Calls a method of the page, as its view does when a person taps.
    func tap(_ handler: String, in program: MiniProgram) { program.trigger(handler, isTap: true) }
    // End

    @Test func example() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("pages/index"), withIntermediateDirectories: true)
        try Data(#"{"pages":["pages/index/index"]}"#.utf8).write(to: folder.appendingPathComponent("app.json"))
        let page = """
            Page({
              onLoad(query) { console.log(query.table) },
              async onPay() { console.log((await my.tradePay({ tradeNO: 'T1' })).resultCode) }
            })
            """
        try Data(page.utf8).write(to: folder.appendingPathComponent("pages/index/index.js"))

        let screen = ProgramScreen()
        let program = try start(folder, userID: "u-1", services: WalletServices(payment: PayingService()), screen: screen)
        tap("onPay", in: program)
        let lines = await screen.lines(2)
        program.end()
        #expect(lines == ["7", "9000"])
    }
}
