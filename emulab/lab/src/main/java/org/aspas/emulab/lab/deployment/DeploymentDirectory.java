package org.aspas.emulab.lab.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.file.DirectoryFiles;

/**
 * A deployment as a directory: {@code deployment.json} with {@code deployment.json.sig} and {@code operator.pub}, which
 * everyone needs; {@code keys/NODE.key} (and {@code keys/NODE.ordering.key} for a bftserver), which only that node needs;
 * {@code clients/NAME.key}; and {@code operator.key}, which belongs in a safe. Keys are hexadecimal, readable by their
 * owner alone.
 *
 * @param root the directory
 */
public record DeploymentDirectory(Path root) {
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** A file of the directory is missing or wrong; the message is one line for the user. */
    public static final class UnusableDirectory extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableDirectory(String message) {
            super(message);
        }
    }

    /**
     * Writes a new deployment. When this returns, a power cut takes nothing of it: its stores know these keys.
     *
     * @throws UnusableDirectory when the directory holds a deployment already
     * @throws IOException when writing fails
     */
    public void write(Deployment deployment) throws UnusableDirectory, IOException {
        requireNew();
        Files.createDirectories(root.resolve("keys"));
        DurableFiles.write(descriptorPath(), deployment.file().text());
        DurableFiles.write(signaturePath(), line(HEX.formatHex(deployment.file().signature())));
        DurableFiles.write(
                operatorPath(), line(deployment.operator().publicKey().toString()));
        writeSecret(root.resolve("operator.key"), deployment.operator().seed());
        for (var key : deployment.keys().entrySet()) {
            writeSecret(keyPath(key.getKey()), key.getValue().seed());
        }
        for (int replica = 0; replica < deployment.orderingKeys().size(); replica++) {
            writeSecret(
                    orderingKeyPath(replica),
                    deployment.orderingKeys().get(replica).getPrivate().getEncoded());
        }
        DirectoryFiles.forceDirectory(root.resolve("keys"));
        DirectoryFiles.forceDirectory(root);
    }

    private static byte[] line(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Throws when the directory holds a deployment already. */
    public void requireNew() throws UnusableDirectory {
        if (Files.exists(descriptorPath())) {
            throw new UnusableDirectory(root + " holds a deployment already; choose another directory");
        }
    }

    /** Reads and verifies the descriptor. */
    public Descriptor descriptor() throws UnusableDirectory {
        if (!Files.isDirectory(root)) {
            throw new UnusableDirectory(root + " is no directory; 'aspas init' makes one");
        }
        PublicKey operator = operator();
        try {
            return descriptorFile().open(operator);
        } catch (DescriptorFile.InvalidDescriptor invalid) {
            throw new UnusableDirectory(descriptorPath() + ": " + invalid.getMessage());
        }
    }

    /** Reads the descriptor with its signature, and verifies nothing. */
    public DescriptorFile descriptorFile() throws UnusableDirectory {
        return new DescriptorFile(readBytes(descriptorPath()), readHex(signaturePath()));
    }

    /** Reads the operator's public key. */
    public PublicKey operator() throws UnusableDirectory {
        return PublicKey.read(readHex(operatorPath()))
                .orElseThrow(() -> new UnusableDirectory(operatorPath() + " holds no 32-byte key"));
    }

    /** Reads a node's identity key, and checks that it is the one in the descriptor. */
    public SigningKey key(Descriptor descriptor, NodeId node) throws UnusableDirectory {
        SigningKey key = readKey(keyPath(node));
        if (!key.publicKey().equals(descriptor.node(node).key())) {
            throw new UnusableDirectory(keyPath(node) + " is not the key that the descriptor lists for " + node);
        }
        return key;
    }

    /** Reads a bftserver's RSA key for BFT-SMaRt. */
    public KeyPair orderingKey(Descriptor descriptor, int replica) throws UnusableDirectory {
        byte[] encoded = readHex(orderingKeyPath(replica));
        try {
            KeyFactory rsa = KeyFactory.getInstance("RSA");
            KeyPair pair = new KeyPair(
                    rsa.generatePublic(new X509EncodedKeySpec(
                            descriptor.node(NodeId.bftserver(replica)).orderingKey())),
                    rsa.generatePrivate(new PKCS8EncodedKeySpec(encoded)));
            if (!belongTogether(pair)) {
                throw new UnusableDirectory(orderingKeyPath(replica) + " is not the key that the descriptor lists for "
                        + NodeId.bftserver(replica));
            }
            return pair;
        } catch (GeneralSecurityException broken) {
            throw new UnusableDirectory(orderingKeyPath(replica) + " holds no RSA private key");
        }
    }

    private static boolean belongTogether(KeyPair pair) {
        return pair.getPublic() instanceof RSAKey open
                && pair.getPrivate() instanceof RSAKey secret
                && open.getModulus().equals(secret.getModulus());
    }

    /** Reads a client's key by name, or makes it on first use. */
    public SigningKey clientKey(String name) throws UnusableDirectory, IOException {
        if (!CLIENT_NAME.matcher(name).matches()) {
            throw new UnusableDirectory("client name '" + name + "' does not match " + CLIENT_NAME);
        }
        Path path = clientPath(name, ".key");
        if (!Files.exists(path)) {
            Files.createDirectories(root.resolve("clients"));
            SigningKey key = Deployment.newKey();
            writeSecret(path, key.seed());
            DirectoryFiles.forceDirectory(root.resolve("clients"));
            return key;
        }
        return readKey(path);
    }

    /** Where a client keeps what must survive its process, such as its last request number. */
    public Path clientPath(String name, String suffix) {
        return root.resolve("clients").resolve(name + suffix);
    }

    /** Where a node keeps what must survive its process, unless it is told otherwise; not part of the keys. */
    public Path dataPath(NodeId node) {
        return dataPath().resolve(node.toString());
    }

    /** Where nodes keep what must survive their processes, each in a directory named as it is. */
    public Path dataPath() {
        return root.resolve("data");
    }

    private SigningKey readKey(Path path) throws UnusableDirectory {
        byte[] seed = readHex(path);
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new UnusableDirectory(path + " holds " + seed.length + " bytes, but a private seed has 32");
        }
        return SigningKey.of(seed);
    }

    private static void writeSecret(Path path, byte[] secret) throws IOException {
        DurableFiles.write(
                path,
                line(HEX.formatHex(secret)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static byte[] readHex(Path path) throws UnusableDirectory {
        String text = new String(readBytes(path), StandardCharsets.UTF_8).strip();
        try {
            return HEX.parseHex(text);
        } catch (IllegalArgumentException noHex) {
            throw new UnusableDirectory(path + " is not hexadecimal");
        }
    }

    private static byte[] readBytes(Path path) throws UnusableDirectory {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException missing) {
            throw new UnusableDirectory(path + " is missing");
        } catch (IOException broken) {
            throw new UnusableDirectory(path + " cannot be read: " + broken.getMessage());
        }
    }

    private Path descriptorPath() {
        return root.resolve("deployment.json");
    }

    private Path signaturePath() {
        return root.resolve("deployment.json.sig");
    }

    private Path operatorPath() {
        return root.resolve("operator.pub");
    }

    private Path keyPath(NodeId node) {
        return root.resolve("keys").resolve(node + ".key");
    }

    private Path orderingKeyPath(int replica) {
        return root.resolve("keys").resolve(NodeId.bftserver(replica) + ".ordering.key");
    }
}
