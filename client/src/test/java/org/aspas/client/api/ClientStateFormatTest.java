package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.ClientState;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of a client's record: what is written is read, and nothing else is. */
class ClientStateFormatTest {
    private static final SigningKey KEY = SigningKey.of(new byte[32]);

    private static ClientState record() {
        Sealer sealer = new Sealer(KEY, Hash.ZERO);
        Request request = new Request(
                new ClientId(KEY.publicKey()),
                17,
                "counter/visits",
                "pn-counter",
                Operation.of("increment", Value.of(1)));
        Signed<Request> signed = sealer.seal(request);
        return new ClientState(
                17,
                4,
                new CertificateNumber(12),
                List.<Signed<ClientSigned>>of(new Signed<>(request, signed.payload(), signed.signature())));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        assertThat(ClientStateFormat.read(ClientStateFormat.write(record()))).isEqualTo(record());
        assertThat(ClientStateFormat.read(ClientStateFormat.write(ClientState.FRESH)))
                .isEqualTo(ClientState.FRESH);
    }

    @Test
    void everyFlippedBitIsRefused() {
        byte[] whole = ClientStateFormat.write(record());
        for (int bit = 0; bit < Byte.SIZE * whole.length; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThatThrownBy(() -> ClientStateFormat.read(damaged))
                    .as("bit %d of byte %d", bit % Byte.SIZE, bit / Byte.SIZE)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatIsCutOffIsRefused() {
        byte[] whole = ClientStateFormat.write(record());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ClientStateFormat.read(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void anEarlierVersionIsReadAndADamagedFileIsNamed(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("mine.state");
        FileClientState state = new FileClientState(file);
        Files.writeString(file, "aspas client state 1\nnumber 5\nsession 2\ncertificate 3\n");
        assertThat(state.load()).contains(new ClientState(5, 2, new CertificateNumber(3), List.of()));
        state.save(record());
        byte[] bytes = Files.readAllBytes(file);
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).startsWith("aspas client state 2\nnumber 17\n");
        bytes[28] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(state::load)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("mine.state")
                .hasMessageContaining("damaged");
    }
}
