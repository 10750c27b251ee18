package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignatureCountsTest {
    private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

    private final SignatureCounts counts = new SignatureCounts();
    private final SigningKey plain = SigningKey.of(new byte[Ed25519.SEED_LENGTH]);
    private final SigningKey key = plain.metered(counts);
    private final Verifier verifier = new Verifier(Hash.ZERO).metered(counts);

    @Test
    void eachSignatureAndEachVerificationCountsForItsUse() {
        byte[] signature = key.sign(Domain.REQUEST, Hash.ZERO, TEXT);
        assertTrue(verifier.verify(key.publicKey(), Domain.REQUEST, TEXT, signature));
        assertFalse(verifier.verify(key.publicKey(), Domain.HEAD, TEXT, signature));
        SignatureCounts.Reading reading = counts.read();
        assertEquals(Map.of(Domain.REQUEST, 1L), reading.signed());
        assertEquals(Map.of(Domain.REQUEST, 1L, Domain.HEAD, 1L), reading.verified());
        assertEquals(1, reading.signatures());
        assertEquals(2, reading.verifications());
    }

    @Test
    void whoeverIsNotMeteredDoesNotCount() {
        byte[] signature = plain.sign(Domain.REQUEST, Hash.ZERO, TEXT);
        assertTrue(new Verifier(Hash.ZERO).verify(plain.publicKey(), Domain.REQUEST, TEXT, signature));
        assertEquals(SignatureCounts.Reading.NOTHING, counts.read());
    }

    @Test
    void aMeterChangesNoSignature() {
        assertEquals(plain.publicKey(), key.publicKey());
        assertTrue(new Verifier(Hash.ZERO)
                .verify(plain.publicKey(), Domain.HEAD, TEXT, key.sign(Domain.HEAD, Hash.ZERO, TEXT)));
    }

    @Test
    void readingsAreSubtractedAndAdded() {
        key.sign(Domain.HEAD, Hash.ZERO, TEXT);
        SignatureCounts.Reading first = counts.read();
        key.sign(Domain.REQUEST, Hash.ZERO, TEXT);
        SignatureCounts.Reading since = counts.read().since(first);
        assertEquals(Map.of(Domain.REQUEST, 1L), since.signed());
        assertEquals(counts.read(), first.plus(since));
    }
}
