extension String {
    /// The text of bytes that are UTF-8; nil for others. The standard library's own check needs iOS 18.
    @inlinable
    package init?(utf8 bytes: some Collection<UInt8>) {
        if #available(iOS 18, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(repairing: bytes)
        }
    }

    /// As ``init(utf8:)`` on every system: what is no UTF-8 comes out of its repair with other bytes.
    @inlinable
    package init?(repairing bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
