import BillfoldSandbox
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct BankAppRoutesTests {
    private func application(_ fixture: BankFixture) throws -> some ApplicationProtocol {
        let router = Router()
        BankAppRoutes(directory: fixture.directory, console: "http://127.0.0.1:8081").addRoutes(to: router)
        try SandboxAssets().addRoutes(to: router)
        return Application(router: router)
    }

    @Test func aPhoneIsOpenedAndTappedOverHTTP() async throws {
        try await application(await BankFixture()).test(.router) { client in
            let opened = try await client.execute(uri: "/bank/phones", method: .post, body: ByteBuffer(string: #"{"model":"trusted"}"#)) {
                #expect($0.status == .created)
                return try JSONDecoder().decode(BankScreen.self, from: Data($0.body.readableBytesView))
            }
            #expect(opened.customers.map(\.id) == ["c-1", "c-2"] && opened.front == .bank)
            let path = "/bank/phones/\(opened.session)"
            try await client.execute(uri: "\(path)/taps", method: .post, body: ByteBuffer(string: #"{"do":"switchTo","value":"wallet"}"#)) {
                #expect($0.status == .ok)
                #expect(String(buffer: $0.body).contains(#""front":"wallet""#))
            }
            try await client.execute(uri: "\(path)?after=\(opened.revision)&wait=0", method: .get) {
                #expect($0.status == .ok && String(buffer: $0.body).contains(#""front":"wallet""#))
            }
        }
    }

    @Test func thePageCarriesNoInlineScriptOrStyleAndItsFilesAreThere() async throws {
        try await application(await BankFixture()).test(.router) { client in
            let page = try await client.execute(uri: "/bank", method: .get) {
                #expect($0.status == .ok)
                return String(buffer: $0.body)
            }
            #expect(page.contains("http://127.0.0.1:8081/provisioning") && page.contains(BankPhoneModel.risky.title))
            #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains("<script>") && !page.contains(" onclick="))
            for match in page.matches(of: /(?:src|href)="(\/assets\/[^"]+)"/) {
                try await client.execute(uri: String(match.output.1), method: .get) { #expect($0.status == .ok, "\(match.output.1)") }
            }
        }
    }

    @Test(arguments: [
        ("POST", "/bank/phones", "{", 400, "body-malformed"),
        ("POST", "/bank/phones", #"{"model":"other"}"#, 400, "body-malformed"),
        ("POST", "/bank/phones", #"{"model":"trusted","lines":[]}"#, 400, "body-malformed"),
        ("POST", "/bank/phones", #"{"model":"trusted","owner":"a@b"}"#, 400, "body-malformed"),
        ("POST", "/bank/phones", #"{"model":"trusted","owner":""}"#, 400, "body-malformed"),
        ("GET", "/bank/phones/none", "", 404, "session-unknown"),
        ("POST", "/bank/phones/none/taps", #"{"do":"logOut"}"#, 404, "session-unknown"),
        ("GET", "/bank/phones/none/events", "", 404, "session-unknown"),
    ])
    func badInputIsRefusedWithACode(method: String, path: String, body: String, status: Int, code: String) async throws {
        try await application(await BankFixture()).test(.router) { client in
            try await client.execute(uri: path, method: #require(HTTPRequest.Method(rawValue: method)), body: ByteBuffer(string: body)) {
                #expect($0.status.code == status)
                #expect(String(buffer: $0.body).contains("\"code\":\"\(code)\""))
            }
        }
    }

    @Test func aTapThatIsNotOnTheScreenIsAnsweredWithWhatIs() async throws {
        try await application(await BankFixture()).test(.router) { client in
            let opened = try await client.execute(uri: "/bank/phones", method: .post, body: ByteBuffer(string: #"{"model":"trusted"}"#)) {
                try JSONDecoder().decode(BankScreen.self, from: Data($0.body.readableBytesView))
            }
            let path = "/bank/phones/\(opened.session)"
            try await client.execute(uri: "\(path)/taps", method: .post, body: ByteBuffer(string: #"{"do":"add","value":"visa-1"}"#)) {
                #expect($0.status == .conflict)
                let body = String(buffer: $0.body)
                #expect(body.contains(#""code":"not-on-screen""#) && body.contains("offers no add now"), "\(body)")
                #expect(body.contains(#"{"do":"switchTo","values":["bank","wallet"]},{"do":"logIn","typed":true}"#), "\(body)")
            }
            // Other refusals have no such list.
            try await client.execute(uri: "/bank/phones/none", method: .get) { #expect(!String(buffer: $0.body).contains("offers")) }
        }
    }

    @Test func theOldestPhoneIsPutAwayAndItsStreamEnds() async throws {
        let fixture = await BankFixture(limit: 2)
        let phone = await fixture.directory.open(.trusted)
        let (screens, id) = (await phone.screens(), await phone.id)
        for _ in 0..<2 { _ = await fixture.directory.open(.fresh) }
        var last: BankScreen?
        for await screen in screens { last = screen }
        #expect(last?.session == id)
        await #expect { try await fixture.directory.session(id) } throws: { ($0 as? SandboxRefusal)?.code == "session-unknown" }
    }

    @Test func tapIsReadStrictly() throws {
        func read(_ text: String) throws -> BankTap { try JSONDecoder().decode(BankTap.self, from: Data(text.utf8)) }
        #expect(try read(#"{"do":"enterCode","value":"482913"}"#) == BankTap(.enterCode, "482913"))
        #expect("\(try read(#"{"do":"enterCode","value":"482913"}"#))" == "enterCode")
        for text in [#"{"do":"pay"}"#, #"{"value":"x"}"#, #"{"do":"next","then":"done"}"#] {
            #expect(throws: DecodingError.self) { try read(text) }
        }
    }
}
