public import CoreMetrics
import Synchronization

/// A `MetricsFactory` that keeps every metric in memory and writes them in Prometheus' text format, version 0.0.4.
///
/// Counters become counters, meters and gauges become gauges, timers and aggregating recorders become histograms (timers in
/// seconds). A metric's help line is the label itself; labels and dimension names are mended to the characters the format takes.
public final class PrometheusMetrics: MetricsFactory {
    struct SeriesKey: Hashable, Sendable {
        var dimensions: [PrometheusLabel]
    }

    struct Family: Sendable {
        var kind: PrometheusKind
        var series: [SeriesKey: any PrometheusSeries] = [:]
    }

    private let families = Mutex<[String: Family]>([:])
    private let buckets: [Double]
    private let maximumSeriesPerFamily: Int

    /// - Parameters:
    ///   - buckets: Upper bounds of the histograms' buckets, ascending; for timers in seconds.
    ///   - maximumSeriesPerFamily: What one metric may grow to. Combinations beyond it are measured together under the label
    ///     `overflow="true"`, so that a label that turns out unbounded cannot fill the memory.
    public init(
        buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
        maximumSeriesPerFamily: Int = 2_000
    ) {
        self.buckets = buckets.sorted()
        self.maximumSeriesPerFamily = maximumSeriesPerFamily
    }

    /// Every metric, families and series in alphabetical order.
    public func text() -> String {
        let families = families.withLock { $0 }
        var lines: [String] = []
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            lines.append("# HELP \(name) \(name)")
            lines.append("# TYPE \(name) \(family.kind.rawValue)")
            for (key, series) in family.series.sorted(by: { $0.key.dimensions < $1.key.dimensions }) {
                lines += series.lines(name: name, labels: key.dimensions)
            }
        }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    /// The counter of these dimensions, with what it has counted before.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, as: .counter, dimensions: dimensions) { PrometheusValue() }
    }

    /// The counter of these dimensions, with what it has counted before.
    public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        series(label, as: .counter, dimensions: dimensions) { PrometheusValue() }
    }

    /// The gauge of these dimensions, with its last value.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, as: .gauge, dimensions: dimensions) { PrometheusValue() }
    }

    /// A histogram where values are aggregated, and a gauge where they are not.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate
            ? series(label, as: .histogram, dimensions: dimensions) { PrometheusHistogram(bounds: buckets) }
            : series(label, as: .gauge, dimensions: dimensions) { PrometheusValue() }
    }

    /// The histogram of these dimensions, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, as: .histogram, dimensions: dimensions) { PrometheusHistogram(bounds: buckets) }
    }

    // Handlers are made anew for every use of a label, so what one has measured stays when it goes.
    /// Forgets nothing.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Forgets nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Forgets nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Forgets nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Forgets nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}

    /// The series for a label, made when it is first used. A label used for two kinds keeps the first: the second use is
    /// measured under a name of its own.
    private func series<Series: PrometheusSeries>(
        _ label: String, as kind: PrometheusKind, dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        families.withLock { families in
            var name = PrometheusLabel.metricName(label)
            if let family = families[name], family.kind != kind { name += "_\(kind.rawValue)" }
            var family = families[name] ?? Family(kind: kind)
            var key = SeriesKey(dimensions: dimensions.map { PrometheusLabel(name: PrometheusLabel.labelName($0.0), value: $0.1) })
            if family.series[key] == nil, family.series.count >= maximumSeriesPerFamily {
                key = SeriesKey(dimensions: [PrometheusLabel(name: "overflow", value: "true")])
            }
            if let known = family.series[key] as? Series { return known }
            let made = make()
            family.series[key] = made
            families[name] = family
            return made
        }
    }
}
