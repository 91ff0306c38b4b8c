/// How strictly a stranger's message is read.
public enum AlipayReading: String, Sendable, Hashable, CaseIterable {
    /// As the documents say. A parameter that no signature covers is refused and named.
    case strict
    /// As real messages were seen. What no signature covers is reported and left out of everything that is believed.
    case asObserved
}
