package org.aspas.client.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.ClientState;

/**
 * The bytes of a client's record: lines of ASCII, a title line, {@code number N}, {@code session N}, {@code certificate N},
 * one {@code request HEX} line for each unconfirmed request, and {@code check HEX}, the CRC-32C (RFC 3720 §B.4) of all
 * before that line. The checksum finds damage; it protects against nobody. Without it a flipped bit could turn a number into
 * an earlier one, and the client would sign two contents under it. A record of version 1, which earlier programs wrote, has
 * no checksum and perhaps no session, and is read too.
 */
public final class ClientStateFormat {
    private static final String TITLE = "aspas client state 2";
    private static final String UNCHECKED_TITLE = "aspas client state 1";
    private static final String NUMBER = "number ";
    private static final String SESSION = "session ";
    private static final String CERTIFICATE = "certificate ";
    private static final String REQUEST = "request ";
    private static final String CHECK = "check ";

    /** The length of the last line, its end included. */
    private static final int CHECK_LENGTH = CHECK.length() + 2 * Integer.BYTES + 1;

    private ClientStateFormat() {}

    /** The bytes of a record. */
    public static byte[] write(ClientState record) {
        StringBuilder text = new StringBuilder(TITLE).append('\n');
        text.append(NUMBER).append(record.lastNumber()).append('\n');
        text.append(SESSION).append(record.lastSession()).append('\n');
        text.append(CERTIFICATE).append(record.certificate()).append('\n');
        for (Signed<ClientSigned> request : record.unconfirmed()) {
            text.append(REQUEST)
                    .append(HexFormat.of().formatHex(Codec.encode(request)))
                    .append('\n');
        }
        String check = checkLine(text.toString().getBytes(StandardCharsets.US_ASCII));
        return text.append(check).toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String checkLine(byte[] before) {
        CRC32C checksum = new CRC32C();
        checksum.update(before);
        return CHECK + HexFormat.of().toHexDigits((int) checksum.getValue()) + '\n';
    }

    /**
     * Reads a record.
     *
     * @throws IOException when the bytes are damaged, or no client's record; the message says where
     */
    public static ClientState read(byte[] bytes) throws IOException {
        byte[] body = bytes;
        boolean checked = new String(bytes, StandardCharsets.ISO_8859_1).startsWith(TITLE + "\n");
        if (checked) {
            int length = Math.max(0, bytes.length - CHECK_LENGTH);
            body = Arrays.copyOf(bytes, length);
            String last = new String(bytes, length, bytes.length - length, StandardCharsets.ISO_8859_1);
            if (!last.equals(checkLine(body))) {
                throw new IOException("it is damaged: its checksum is not that of its content");
            }
        }
        List<String> lines =
                new String(body, StandardCharsets.ISO_8859_1).lines().toList();
        if (lines.size() < 3 || !(checked || lines.get(0).equals(UNCHECKED_TITLE))) {
            throw new IOException("it is no client state");
        }
        return parse(lines);
    }

    private static ClientState parse(List<String> lines) throws IOException {
        long number = number(lines.get(1), NUMBER);
        int at = lines.get(2).startsWith(SESSION) && lines.size() > 3 ? 3 : 2;
        long session = at == 2 ? 0 : number(lines.get(2), SESSION);
        CertificateNumber certificate = new CertificateNumber(number(lines.get(at), CERTIFICATE));
        List<Signed<ClientSigned>> requests = new ArrayList<>();
        for (String line : lines.subList(at + 1, lines.size())) {
            requests.add(request(line));
        }
        return new ClientState(number, session, certificate, requests);
    }

    private static long number(String line, String name) throws IOException {
        try {
            return Long.parseUnsignedLong(value(line, name));
        } catch (NumberFormatException damaged) {
            throw new IOException("it is damaged at: " + line, damaged);
        }
    }

    private static String value(String line, String name) throws IOException {
        if (!line.startsWith(name)) {
            throw new IOException("it is damaged: expected " + name + "but found: " + line);
        }
        return line.substring(name.length());
    }

    private static Signed<ClientSigned> request(String line) throws IOException {
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(value(line, REQUEST));
        } catch (IllegalArgumentException damaged) {
            throw new IOException("it is damaged: a request is not hexadecimal", damaged);
        }
        if (Codec.decodeSigned(bytes, Request.class) instanceof Decoded.Accepted<Signed<Request>> accepted) {
            Signed<Request> signed = accepted.value();
            return new Signed<>(signed.message(), signed.payload(), signed.signature());
        }
        throw new IOException("it is damaged: a line holds no request");
    }
}
