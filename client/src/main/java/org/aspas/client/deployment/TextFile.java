package org.aspas.client.deployment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Reads UTF-8 text files that people provide. Errors name the file, the line and the reason. */
public final class TextFile {
    private static final byte[] UTF_16_LE = {(byte) 0xff, (byte) 0xfe};
    private static final byte[] UTF_16_BE = {(byte) 0xfe, (byte) 0xff};

    private TextFile() {}

    /**
     * Reads the text of a file; a byte order mark at its beginning is kept.
     *
     * @throws NotTextException when the file is not UTF-8
     * @throws IOException when the file cannot be read
     */
    public static String read(Path file) throws IOException {
        return text(file.toString(), Files.readAllBytes(file));
    }

    /**
     * Decodes bytes as UTF-8.
     *
     * @param name the name of their source, for the message
     * @throws NotTextException when the bytes are not UTF-8
     */
    public static String text(String name, byte[] bytes) throws NotTextException {
        Optional<String> text = decode(bytes);
        if (text.isPresent()) {
            return text.get();
        }
        if (begins(bytes, UTF_16_LE) || begins(bytes, UTF_16_BE)) {
            throw new NotTextException(name + " is UTF-16; save it as UTF-8");
        }
        int line = 1;
        int begin = 0;
        for (int at = 0; at <= bytes.length; at++) {
            if (at == bytes.length || bytes[at] == '\n') {
                ByteBuffer one = ByteBuffer.wrap(bytes, begin, at - begin);
                Optional<Integer> bad = firstBad(one);
                if (bad.isPresent()) {
                    throw new NotTextException(String.format(
                            Locale.ROOT,
                            "%s, line %d: the byte %02X is not UTF-8; save the file as UTF-8",
                            name,
                            line,
                            bytes[begin + bad.get()]));
                }
                line++;
                begin = at + 1;
            }
        }
        throw new IllegalStateException(name + " is not UTF-8, but each of its lines is");
    }

    /** Decodes bytes as UTF-8; empty when they are not valid UTF-8. */
    public static Optional<String> decode(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException broken) {
            return Optional.empty();
        }
    }

    /** Returns the offset of the first byte that is not valid UTF-8; empty if there is none. */
    private static Optional<Integer> firstBad(ByteBuffer bytes) {
        int begin = bytes.position();
        var decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer out = CharBuffer.allocate(bytes.remaining() + 1);
        boolean good = !decoder.decode(bytes, out, true).isError();
        return good ? Optional.empty() : Optional.of(bytes.position() - begin);
    }

    private static boolean begins(byte[] bytes, byte[] mark) {
        return bytes.length >= 2 && bytes[0] == mark[0] && bytes[1] == mark[1];
    }

    /** Thrown when a file is not UTF-8. The message is one line that names the file, the line and the byte. */
    public static final class NotTextException extends IOException {
        private static final long serialVersionUID = 1L;

        NotTextException(String message) {
            super(message);
        }
    }
}
