import BillfoldWeb
import Foundation

/// A grey picture, drawn by hand.
struct Picture {
    var width: Int
    var height: Int
    /// Row by row; 255 is white.
    var grey: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        grey = [UInt8](repeating: 255, count: width * height)
    }

    /// With the quiet zone that the code needs.
    init(_ code: QRCode, scale: Int) {
        let side = (code.side + 2 * QRCode.margin) * scale
        self.init(width: side, height: side)
        for row in 0..<code.side {
            for column in 0..<code.side where code[row, column] {
                let (x, y) = ((column + QRCode.margin) * scale, (row + QRCode.margin) * scale)
                for line in y..<(y + scale) { for dot in x..<(x + scale) { grey[line * width + dot] = 0 } }
            }
        }
    }

    /// EAN-13 (ISO/IEC 15420): 95 modules, three pixels each.
    init(ean13 digits: String) {
        let left = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"]
        let parities = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]
        let numbers = digits.compactMap(\.wholeNumberValue)
        let right = left.map { String($0.map { $0 == "0" ? "1" : "0" }) }
        var modules = "101"
        for (digit, parity) in zip(numbers[1...6], parities[numbers[0]]) {
            modules += parity == "L" ? left[digit] : String(right[digit].reversed())
        }
        modules += "01010"
        for digit in numbers[7...12] { modules += right[digit] }
        modules += "101"
        let (scale, quiet, tall) = (3, 12, 120)
        self.init(width: (modules.count + 2 * quiet) * scale, height: tall + 40)
        for (index, module) in modules.enumerated() where module == "1" {
            for row in 20..<(20 + tall) { for dot in 0..<scale { grey[row * width + (index + quiet) * scale + dot] = 0 } }
        }
    }

    /// Turned around its middle, on a canvas that holds all of it.
    func turned(by degrees: Double) -> Picture {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let side = Int((Double(width * width + height * height)).squareRoot()) + 40
        var result = Picture(width: side, height: side)
        let middle = Double(side) / 2
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (Double(column) - middle, Double(row) - middle)
                let (sourceX, sourceY) = (Int(x * cosine + y * sine + Double(width) / 2), Int(y * cosine - x * sine + Double(height) / 2))
                guard (0..<width).contains(sourceX), (0..<height).contains(sourceY) else { continue }
                result.grey[row * side + column] = grey[sourceY * width + sourceX]
            }
        }
        return result
    }

    /// Paper is not white and ink not black, and every sensor sees something that is not there.
    func noisy(seed: UInt64, by strength: Int) -> Picture {
        var (result, noise) = (self, Noise(seed: seed))
        for index in result.grey.indices {
            let value = 40 + Int(grey[index]) * 170 / 255 + (Int(noise.byte()) - 128) * strength / 256
            result.grey[index] = UInt8(min(255, max(0, value)))
        }
        return result
    }

    func beside(_ other: Picture) -> Picture {
        var result = Picture(width: width + other.width + 40, height: max(height, other.height))
        for (picture, left) in [(self, 0), (other, width + 40)] {
            for row in 0..<picture.height {
                for column in 0..<picture.width {
                    result.grey[row * result.width + left + column] = picture.grey[row * picture.width + column]
                }
            }
        }
        return result
    }

    /// As a portable pixmap of Netpbm.
    var pnm: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + grey }
}

/// Bytes that look random and are the same each time.
struct Noise {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func byte() -> UInt8 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 32)
    }
}

/// As PNG's chunks end with (ISO 3309).
enum CRC32 {
    static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value = ~UInt32(0)
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = value & 1 == 1
                value >>= 1
                if isOdd { value ^= 0xedb8_8320 }
            }
        }
        value = ~value
        return withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
