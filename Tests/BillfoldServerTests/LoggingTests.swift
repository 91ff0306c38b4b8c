import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import Hummingbird
import Logging
import Testing

@Suite struct LoggingTests {
    private func logged(_ format: StructuredLogHandler.Format, _ body: (Logger) -> Void) -> [String] {
        let log = MemoryLog()
        let clock = StandingClock()
        body(
            Logger(label: "billfold") { label in
                StructuredLogHandler(label: label, format: format, clock: clock, destination: log)
            })
        return log.lines
    }

    @Test func aLineIsOneJSONObject() throws {
        let lines = logged(.json) { logger in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = "r-1"
            logger.info("line one\nline two", metadata: ["order": "42", "message": "mine"])
        }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(!line.contains("\n"))
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
        #expect(object["at"] == "2026-02-25T06:13:20.000000Z")
        #expect(object["level"] == "info")
        #expect(object["logger"] == "billfold")
        #expect(object["message"] == "line one\nline two")
        #expect(object["request_id"] == "r-1")
        #expect(object["order"] == "42")
    }

    @Test func anErrorIsDescribedByItsKindAndItsCode() {
        struct Uncoded: Error, CustomStringConvertible { var description: String { "password=hunter2-hunter2" } }
        struct Disclosed: DisclosableError { var disclosure: String { "two at once" } }
        #expect(ErrorMapping.logDescription(of: Uncoded()) == "Uncoded")
        #expect(ErrorMapping.logDescription(of: Disclosed()) == "Disclosed two at once")
        let coded = PaymentsError(code: .contended, reason: "account 4711 is busy")
        #expect(ErrorMapping.logDescription(of: coded) == "PaymentsError contended")
    }

    @Test(arguments: ["evil\r\n2026 info forged", "\u{1b}[2J", "a\u{2028}b", "a\u{85}b", "\u{202e}gnol"])
    func nothingInAValueForgesALineOrDrivesATerminal(text: String) throws {
        let line = try #require(logged(.text) { $0.warning("seen", metadata: ["name": "\(text)"]) }.first)
        #expect(line.unicodeScalars.allSatisfy { ![.control, .format, .lineSeparator].contains($0.properties.generalCategory) })
    }

    @Test func textForPeopleStaysOnOneLine() {
        let lines = logged(.text) { $0.warning("a\nb", metadata: ["k": "x\ny"]) }
        #expect(lines == ["2026-02-25T06:13:20.000000Z warning billfold: a\\nb k=x\\ny"])
    }

    @Test(arguments: ["Authorization", "session-cookie", "api_key", "clientSecret", "password", "X-CSRF-Token", "paymentData"])
    func telltaleMetadataIsWithheld(key: String) {
        for format in StructuredLogHandler.Format.allCases {
            let lines = logged(format) { $0.info("x", metadata: ["\(key)": "marker-value"]) }
            #expect(lines.allSatisfy { !$0.contains("marker-value") })
        }
    }

    @Test func cardNumbersAreWithheldAndOrderNumbersAreNot() {
        let lines = logged(.json) { logger in
            logger.info(
                "card 6216261000000000018 order 20260225061320", metadata: ["note": "pan=4111111111111111,", "txnTime": "20260225061321"])
        }
        #expect(lines.allSatisfy { !$0.contains("6216261000000000018") && !$0.contains("4111111111111111") })
        #expect(lines.allSatisfy { $0.contains("20260225061321") })
    }

    @Test func aSecretCannotBeLogged() {
        let lines = logged(.json) { $0.info("\(Secret("marker-value"))", metadata: ["note": "\(Secret("marker-value"))"]) }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { !$0.contains("marker-value") })
    }

    @Test func neitherHeadersNorQueriesNorBodiesOfARequestAreLogged() async throws {
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        try await RunningServer.with(
            surroundings: surroundings,
            routes: { router in router.post("/pay") { request, _ in try await String(buffer: request.body.collect(upTo: 1_000)) } },
            body: { server in
                let answer = try await Answer.send(
                    "POST", server.url("public", "/pay?q=marker-query"),
                    headers: [("Authorization", "Bearer marker-key"), ("Cookie", "a=marker-cookie")], body: "marker-body")
                #expect(answer.body == "marker-body")
            })
        #expect(log.lines.contains { $0.contains(#""route":"/pay""#) && $0.contains(#""status":"200""#) })
        #expect(!log.lines.contains { $0.contains("marker-") })
    }
}
