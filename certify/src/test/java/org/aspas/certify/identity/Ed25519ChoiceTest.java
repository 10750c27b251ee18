package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.function.Supplier;
import org.aspas.certify.identity.Ed25519Choice.UnusableEd25519;
import org.aspas.certify.identity.Ed25519Choice.Wish;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which library signs and verifies, and that none does which does not know the rule. */
class Ed25519ChoiceTest {
    private static final Supplier<Ed25519Provider> GOOD = BouncyCastleEd25519::new;
    private static final Supplier<Ed25519Provider> ABSENT = () -> {
        throw new UnsatisfiedLinkError("no such library");
    };

    /** As Bouncy Castle verifies by itself: R may be off by a point of small order. */
    private record Cofactored(String name) implements Ed25519Provider {
        @Override
        public SignatureScheme.Signer signer(byte[] seed) {
            return GOOD.get().signer(seed);
        }

        @Override
        public Optional<KeyVerifier> prepare(PublicKey key) {
            return BouncyCastleEd25519.cofactored(key);
        }
    }

    /** Signs something else. */
    private record WrongSigner(String name) implements Ed25519Provider {
        @Override
        public SignatureScheme.Signer signer(byte[] seed) {
            return text -> new byte[Ed25519.SIGNATURE_LENGTH];
        }

        @Override
        public Optional<KeyVerifier> prepare(PublicKey key) {
            return GOOD.get().prepare(key);
        }
    }

    /** Says the same of every signature. */
    private record Constant(String name, boolean verdict) implements Ed25519Provider {
        @Override
        public SignatureScheme.Signer signer(byte[] seed) {
            return GOOD.get().signer(seed);
        }

        @Override
        public Optional<KeyVerifier> prepare(PublicKey key) {
            return Optional.of((text, signature) -> verdict);
        }
    }

    private static String failure(Wish wish, Supplier<Ed25519Provider> accp, Supplier<Ed25519Provider> bouncyCastle) {
        return String.valueOf(assertThrows(UnusableEd25519.class, () -> Ed25519Choice.choose(wish, accp, bouncyCastle))
                .getMessage());
    }

    @Test
    void whatPassesTheSelfTestIsTaken() {
        Ed25519Choice choice = Ed25519Choice.choose(Wish.AUTO, GOOD, ABSENT);
        assertEquals("native", choice.reason());
        assertTrue(choice.description().startsWith("Bouncy Castle 1."), choice.description());
    }

    @Test
    void whatCannotBeLoadedIsSaidAndReplaced() {
        Ed25519Choice choice = Ed25519Choice.choose(Wish.AUTO, ABSENT, GOOD);
        assertEquals(
                "AmazonCorrettoCryptoProvider could not be loaded: no such library; the rule is the same",
                choice.reason());
    }

    @Test
    void whatFailsItsSelfTestIsNotUsed() {
        Ed25519Choice choice = Ed25519Choice.choose(Wish.AUTO, () -> new Cofactored("lax"), GOOD);
        assertEquals(
                "AmazonCorrettoCryptoProvider failed its self-test of Ed25519: accepted: a sound key, R with a part of "
                        + "order 2; the rule is the same",
                choice.reason());
        String wrong = Ed25519Choice.choose(Wish.AUTO, () -> new WrongSigner("wrong"), GOOD)
                .reason();
        assertTrue(wrong.contains("a signature is not that of RFC 8032"), wrong);
        assertTrue(Ed25519SelfTest.failure(new Constant("yes", true)).orElse("").startsWith("accepted: "));
        assertTrue(Ed25519SelfTest.failure(new Constant("no", false)).orElse("").startsWith("refused: "));
    }

    @Test
    void withoutAnyLibraryNothingStarts() {
        assertEquals("Bouncy Castle could not be loaded: no such library", failure(Wish.AUTO, ABSENT, ABSENT));
        assertTrue(failure(Wish.AUTO, ABSENT, () -> new Cofactored("lax")).startsWith("Bouncy Castle failed its"));
        assertTrue(failure(Wish.BOUNCYCASTLE, GOOD, ABSENT).startsWith("Bouncy Castle could not"));
    }

    @Test
    void aLibraryThatIsAskedForByNameIsNotReplaced() {
        assertTrue(failure(Wish.ACCP, ABSENT, GOOD).startsWith("AmazonCorrettoCryptoProvider could not be loaded"));
        assertEquals(
                "as aspas.ed25519 says",
                Ed25519Choice.choose(Wish.BOUNCYCASTLE, ABSENT, GOOD).reason());
        assertEquals(
                "as aspas.ed25519 says",
                Ed25519Choice.choose(Wish.ACCP, GOOD, ABSENT).reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ACCP", "sunec", "Auto", " auto", "bouncy castle"})
    void aWrongNameIsAnError(String value) {
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> Ed25519Choice.wish(value))
                .getMessage());
        assertEquals(
                "aspas.ed25519 = " + value + " names no library for signatures; it is auto, accp or bouncycastle",
                message);
    }

    @Test
    void theNamesOfLibraries() {
        assertEquals(Wish.AUTO, Ed25519Choice.wish("auto"));
        assertEquals(Wish.ACCP, Ed25519Choice.wish("accp"));
        assertEquals(Wish.BOUNCYCASTLE, Ed25519Choice.wish("bouncycastle"));
    }

    @Test
    void thisProcessHasOne() {
        Ed25519Choice choice = Ed25519Choice.ofThisProcess();
        assertFalse(choice.reason().isBlank());
        System.out.println("signatures by " + choice.description());
        for (Ed25519Provider provider : Ed25519Providers.all()) {
            assertEquals(Optional.empty(), Ed25519SelfTest.failure(provider), provider.name());
        }
    }
}
