package org.aspas.client.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.ClientRecord;

/**
 * A client's record in one text file: a title line, {@code number N}, {@code session N}, {@code certificate N}, and one
 * {@code request HEX} line for each unconfirmed request. A file without the session's line, as earlier versions wrote it,
 * is read too. The whole file is written for every change, which suits a person's client and not a
 * heavy load.
 */
public final class FileClientState implements ClientStateStore {
    private static final String TITLE = "aspas client state 1";
    private static final String SESSION = "session ";

    private final Path file;

    /** The record in this file, which need not exist yet; its directory must. */
    public FileClientState(Path file) {
        this.file = file;
    }

    @Override
    public Optional<ClientRecord> load() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(Files.readAllLines(file, StandardCharsets.UTF_8)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file + " cannot be read", unreadable);
        }
    }

    private ClientRecord parse(List<String> lines) throws IOException {
        if (lines.size() < 3 || !lines.get(0).equals(TITLE)) {
            throw new IOException(file + " is no client state");
        }
        long number = number(lines.get(1), "number ");
        int at = lines.get(2).startsWith(SESSION) && lines.size() > 3 ? 3 : 2;
        long session = at == 2 ? 0 : number(lines.get(2), SESSION);
        long certificate = number(lines.get(at), "certificate ");
        List<Signed<ClientSigned>> requests = new ArrayList<>();
        for (String line : lines.subList(at + 1, lines.size())) {
            requests.add(request(line));
        }
        return new ClientRecord(number, session, certificate, requests);
    }

    private long number(String line, String name) throws IOException {
        try {
            return Long.parseUnsignedLong(value(line, name));
        } catch (NumberFormatException damaged) {
            throw new IOException(file + " is damaged at: " + line, damaged);
        }
    }

    private String value(String line, String name) throws IOException {
        if (!line.startsWith(name)) {
            throw new IOException(file + " is damaged: expected " + name + "but found: " + line);
        }
        return line.substring(name.length());
    }

    private Signed<ClientSigned> request(String line) throws IOException {
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(value(line, "request "));
        } catch (IllegalArgumentException damaged) {
            throw new IOException(file + " is damaged: a request is not hexadecimal", damaged);
        }
        if (Codec.decodeSigned(bytes, Request.class) instanceof Decoded.Accepted<Signed<Request>> accepted) {
            Signed<Request> signed = accepted.value();
            return new Signed<>(signed.message(), signed.payload(), signed.signature());
        }
        throw new IOException(file + " is damaged: a line holds no request");
    }

    @Override
    public void save(ClientRecord record) {
        StringBuilder text = new StringBuilder(TITLE)
                .append("\nnumber ")
                .append(record.lastNumber())
                .append('\n')
                .append(SESSION)
                .append(record.lastSession())
                .append("\ncertificate ")
                .append(record.certificate())
                .append('\n');
        for (Signed<ClientSigned> request : record.unconfirmed()) {
            text.append("request ")
                    .append(HexFormat.of().formatHex(Codec.encode(request)))
                    .append('\n');
        }
        try {
            replace(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(file + " cannot be written", failed);
        }
    }

    private void replace(byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
