import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Metrics
import Testing

@Suite struct MetricsTests {
    /// Reads the text format strictly: every sample belongs to a family whose TYPE came before it.
    private func parse(_ text: String) throws -> [String: Double] {
        var kinds: [String: String] = [:]
        var samples: [String: Double] = [:]
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
                #expect(kinds[String(match.1)] == nil, "TYPE twice")
                kinds[String(match.1)] = String(match.2)
                continue
            }
            if line.hasPrefix("# HELP ") { continue }
            let match = try #require(
                line.wholeMatch(
                    of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\.)*",?)*\})? (\S+)/), "\(line)")
            let name = String(match.1)
            let family = ["_bucket", "_sum", "_count"].compactMap { name.hasSuffix($0) ? String(name.dropLast($0.count)) : nil }.first
            #expect(kinds[name] != nil || family.flatMap { kinds[$0] } == "histogram", "no TYPE for \(line)")
            let key = name + (match.2.map(String.init) ?? "")
            #expect(samples[key] == nil, "sample twice: \(key)")
            guard let value = Double(String(match.3)) else {
                Issue.record("not a number: \(line)")
                continue
            }
            samples[key] = value
        }
        return samples
    }

    @Test func countersGaugesAndHistogramsReadAsTheyWereMeasured() throws {
        let metrics = PrometheusMetrics(buckets: [0.1, 1])
        Counter(label: "payments_total", dimensions: [("state", "succeeded")], factory: metrics).increment(by: 2)
        Counter(label: "payments_total", dimensions: [("state", "failed")], factory: metrics).increment()
        Gauge(label: "outbox_waiting", factory: metrics).record(7)
        let timer = Timer(label: "gateway_seconds", factory: metrics)
        timer.recordNanoseconds(50_000_000)
        timer.recordNanoseconds(500_000_000)
        timer.recordNanoseconds(5_000_000_000)
        let samples = try parse(metrics.text())
        #expect(samples[#"payments_total{state="succeeded"}"#] == 2)
        #expect(samples[#"payments_total{state="failed"}"#] == 1)
        #expect(samples["outbox_waiting"] == 7)
        #expect(samples[#"gateway_seconds_bucket{le="0.1"}"#] == 1)
        #expect(samples[#"gateway_seconds_bucket{le="1"}"#] == 2)
        #expect(samples[#"gateway_seconds_bucket{le="+Inf"}"#] == 3)
        #expect(samples["gateway_seconds_count"] == 3)
        #expect(abs((samples["gateway_seconds_sum"] ?? 0) - 5.55) < 1e-9)
    }

    /// A quiet route's success is told to who asks for it; what it refuses, and its neighbours, are told to everybody. All are counted.
    @Test func successesOfQuietRoutesLeaveTheirLineAtDebug() async throws {
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        var configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        configuration.quietRoutes = ["/author/"]
        let router = surroundings.router(for: configuration)
        router.get("/author/apps") { _, _ in "well" }
        router.get("/author/ill") { _, _ in HTTPResponse.Status.conflict }
        router.get("/authors") { _, _ in "well" }
        try await RunningServer.with(
            [Listener(configuration, router: router, logger: surroundings.logger)], surroundings: surroundings
        ) { server in
            for path in ["/author/apps", "/author/ill", "/authors"] { _ = try await Answer.get(server.url("public", path)) }
        }
        for (route, level) in [("/author/apps", "debug"), ("/author/ill", "info"), ("/authors", "info")] {
            let lines = log.lines.filter { $0.contains(#""route":"\#(route)""#) }
            #expect(lines.count == 1 && lines[0].contains(#""level":"\#(level)""#), "\(lines)")
            #expect(surroundings.metrics.text().contains(#"route="\#(route)""#))
        }
    }

    @Test func namesAndValuesOutsideTheFormatAreMended() throws {
        let metrics = PrometheusMetrics()
        Counter(label: "9 odd-name", dimensions: [("la bel", "a\"b\\c\nd")], factory: metrics).increment()
        let samples = try parse(metrics.text())
        #expect(samples[#"_9_odd_name{la_bel="a\"b\\c\nd"}"#] == 1)
    }

    @Test func anUnboundedLabelCannotFillTheMemory() throws {
        let metrics = PrometheusMetrics(maximumSeriesPerFamily: 10)
        for number in 0..<1_000 { Counter(label: "c", dimensions: [("id", "\(number)")], factory: metrics).increment() }
        let samples = try parse(metrics.text())
        #expect(samples.count <= 11)
        #expect(samples[#"c{overflow="true"}"#] == 990)
        #expect(samples.values.reduce(0, +) == 1_000)
    }

    @Test func requestsAreCountedByRouteAndNotByPath() async throws {
        let surroundings = RunningServer.surroundings()
        try await RunningServer.with(surroundings: surroundings, routes: { $0.get("/orders/{id}") { _, _ in "ok" } }) { server in
            _ = try await Answer.get(server.url("public", "/orders/1"))
            _ = try await Answer.get(server.url("public", "/orders/2?secret=x"))
            _ = try await Answer.get(server.url("public", "/nowhere/3"))
        }
        let text = surroundings.metrics.text()
        let samples = try parse(text)
        #expect(samples[#"http_server_requests_total{listener="public",method="GET",route="/orders/{id}",status="200"}"#] == 2)
        #expect(samples[#"http_server_requests_total{listener="public",method="GET",route="NotFound",status="404"}"#] == 1)
        #expect(samples[#"http_server_requests_in_flight{listener="public"}"#] == 0)
        #expect(!text.contains("secret"))
    }
}
