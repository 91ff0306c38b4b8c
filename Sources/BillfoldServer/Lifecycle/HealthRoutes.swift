import BillfoldJSON
import Foundation
import HTTPTypes
package import Hummingbird

/// `/healthz` (the process answers) and `/readyz` (everything it needs works; 503 otherwise, naming what does not).
package struct HealthRoutes: Sendable {
    private let readiness: Readiness

    package init(readiness: Readiness) { self.readiness = readiness }

    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/healthz") { _, _ in Self.answer(.ok, ["status": "ok"]) }
        router.get("/readyz") { [readiness] _, _ in
            let states = await readiness.states()
            let isReady = states.values.allSatisfy { $0 }
            return Self.answer(
                isReady ? .ok : .serviceUnavailable,
                states.mapValues { $0 ? "ok" : "failing" }.merging(["status": isReady ? "ready" : "not-ready"]) { _, new in new })
        }
    }

    private static func answer(_ status: HTTPResponse.Status, _ fields: [String: String]) -> Response {
        JSONAnswer.verbatim((try? JSONDocument.encode(fields)) ?? Array("{}".utf8), status: status)
    }
}

/// `/metrics` in Prometheus' text format. It belongs on the console's listener: it tells how much business is done.
enum MetricsRoutes {
    static func answer(_ metrics: PrometheusMetrics) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text())))
    }
}
