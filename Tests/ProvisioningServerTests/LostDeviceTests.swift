import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import Testing

@testable import ProvisioningServer

struct LostDeviceTests {
    private func colour(_ bank: TokenBank, _ number: Int, on secureElement: String = TokenBank.phone) async throws -> String {
        let answer = try await bank.decide {
            ($0.id, $0.token, $0.secureElement) = ("request-\(number)", "token-\(number)", secureElement)
        }
        return "\(answer["colour"] ?? answer.body) \((answer.json["reasons"] as? [String] ?? []).joined(separator: " "))"
    }

    @Test(arguments: StoreEngine.withoutInjectedFaults)
    func aLostDeviceTakesNoNewTokenUntilItIsFound(_ engine: StoreEngine) async throws {
        try await TokenBank.open(engine) { bank in
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone.lowercased(), by: "lin") == 0)
            #expect(try await bank.office.lostDevices().map(\.secureElement) == [TokenBank.phone])
            #expect(try await colour(bank, 1) == "red device-lost")
            #expect(try await colour(bank, 2, on: TokenBank.watch) == "green ")
            #expect(try await bank.office.reportFound(secureElement: TokenBank.phone.lowercased(), remark: "in her bag", by: "wu"))
            #expect(try await !bank.office.reportFound(secureElement: TokenBank.phone, remark: "again", by: "wu"))
            #expect(try await colour(bank, 3) == "green ")
            #expect(try await bank.office.lostDevices().isEmpty)
            let trail = try await bank.trail().map { "\($0.actor) \($0.action) \($0.result)" }
            #expect(trail == ["lin device.lost 0 tokens", "wu device.found in her bag"])
        }
    }

    @Test func whatTheLossSuspendedIsResumedOneByOne() async throws {
        try await TokenBank.open { bank in
            try await bank.provision()
            #expect(try await bank.office.reportLost(secureElement: TokenBank.phone, by: "lin") == 1)
            try await bank.work()
            #expect(try await bank.office.reportFound(secureElement: TokenBank.phone, remark: "in her bag", by: "lin"))
            try await bank.work()
            #expect(try await bank.token()?.snapshot.state == .suspended)
            #expect(try await bank.office.act(.resume, on: "token-1", reason: .cleared, by: "lin"))
            try await bank.work()
            #expect(bank.network.requests == ["suspend token-1 L", "resume token-1 T"])
        }
    }

    @Test func whatIsNoSecureElementIsRefused() async throws {
        try await TokenBank.open { bank in
            await #expect(throws: ProvisioningError.self) {
                _ = try await bank.office.reportFound(secureElement: "phone", remark: "x", by: "wu")
            }
        }
    }

    @Test func theConsoleShowsAndEndsALoss() async throws {
        try await TokenBank.open { bank in
            let desk = try #require(bank.bank.server.desk)
            #expect(try await desk.reportLost(secureElement: TokenBank.watch.lowercased(), by: "chen") == 0)
            #expect(try await desk.overview().lostDevices.map(\.secureElement) == [TokenBank.watch])
            #expect(try await desk.reportFound(secureElement: TokenBank.watch.lowercased(), remark: "at home", by: "chen"))
            #expect(try await desk.overview().lostDevices.isEmpty)
            #expect(try await !desk.reportFound(secureElement: TokenBank.watch, remark: "at home", by: "chen"))
        }
    }
}
