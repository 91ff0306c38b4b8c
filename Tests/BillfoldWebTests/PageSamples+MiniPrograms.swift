import BillfoldSandbox
import BillfoldWeb
import WalletServer

/// The platform's pages with one value in every field, and as they look on an ordinary day.
extension PageSamples {
    private static func program(_ value: String, isOpen: Bool) -> MiniProgramShelf.Program {
        .init(appID: value, name: value, author: value, workspace: value, released: value, waiting: 2, isOpen: isOpen)
    }

    static func shelf(all value: String) -> MiniProgramShelf {
        MiniProgramShelf(
            programs: [program(value, isOpen: true), program(value, isOpen: false)],
            signers: [.init(id: value, name: value, kind: value, members: [value, value], isOpen: true)],
            keys: [.init(use: value, pem: value)])
    }

    static func miniProgram(all value: String, isOpen: Bool) -> MiniProgramView {
        MiniProgramView(
            program: program(value, isOpen: isOpen), slogan: value, authClientID: value, serverDomains: [value], webPageDomains: [value],
            features: [value], customInterfaces: [value], scenes: [value], scopes: [.init(name: value, rule: value, isOwn: true)],
            builds: [
                .init(
                    version: value, state: value, percent: 5, testGroup: [value], minimumContainer: value, sha256: value, webPage: value,
                    madeAt: 0, steps: MiniProgramView.Step.allCases)
            ], codes: [.init(id: value, deepLink: value, content: value)])
    }

    /// The phone's page as the sandbox makes it.
    static func superApp(_ frame: PageFrame, session: String, console: String) throws -> String {
        struct Phone: Sendable {
            let session: String
            let console: String
            let codes = [["title": "A table", "label": "QR code of a table", "path": "M0 0h7v1H0z", "box": "-4 -4 29 29"]]
        }
        return try frame.render(
            "super-app/phone", of: .sandbox, title: "Super app", path: "/super-app/",
            styles: ["phone/phone.css", "express/express.css", "super-app/super-app.css"], scripts: ["super-app/super-app.js"],
            Phone(session: session, console: console))
    }

    static let ordinaryProgram = MiniProgramShelf.Program(
        appID: "2026112200000001", name: "Tea house", author: "tea-author", workspace: "wallet", released: "1.2.0.20261122083000123",
        waiting: 1, isOpen: true)

    static let ordinaryShelf = MiniProgramShelf(
        programs: [
            ordinaryProgram,
            .init(
                appID: "2026112200000002", name: "Bakery", author: "bread-author", workspace: "connect", released: nil, waiting: 0,
                isOpen: false),
        ],
        signers: [
            .init(id: "tea-author", name: "Tea", kind: "author", members: ["wallet"], isOpen: true),
            .init(id: "tea-client", name: "Tea house", kind: "client", members: ["2026112200000001"], isOpen: false),
        ],
        keys: [
            .init(
                use: "Answers to servers, version 1",
                pem: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n")
        ])

    static let ordinaryMiniProgram = MiniProgramView(
        program: ordinaryProgram, slogan: "Tea, and time for it", authClientID: "tea-client", serverDomains: ["api.tea.example"],
        webPageDomains: [], features: ["scan", "payment"], customInterfaces: [], scenes: ["SCAN"],
        scopes: [.init(name: "USER_NAME", rule: "ask", isOwn: false), .init(name: "CARD_LIST", rule: "ask", isOwn: true)],
        builds: [
            .init(
                version: "1.3.0.20261123083000123", state: "Under Review", percent: nil, testGroup: [], minimumContainer: "1.0.0",
                sha256: String(repeating: "ab", count: 32), webPage: nil, madeAt: 1_795_000_000_000_000, steps: [.approve, .reject]),
            .init(
                version: "1.2.0.20261122083000123", state: "Full Release", percent: nil, testGroup: ["2088000000000017"],
                minimumContainer: "1.0.0", sha256: String(repeating: "cd", count: 32), webPage: nil, madeAt: 1_794_000_000_000_000,
                steps: [.archive]),
        ],
        codes: [
            .init(
                id: "default", deepLink: "billfoldwallet://mp/2026112200000001?source=default",
                content: "https://mp.billfold.example/mp/2026112200000001?source=default")
        ])
}
