package org.aspas.emulab.lab.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;

/**
 * A deployment as a directory: {@code deployment.json} with {@code deployment.json.sig} and {@code operator.pub}, which
 * everyone needs; {@code keys/NODE.key} (and {@code keys/NODE.ordering.key} for a bftserver), which only that node needs;
 * {@code keys/NODE.tls.key} and {@code keys/NODE.tls.pem} are an appserver's for clients that come by TLS, and {@code
 * tls-ca.pem} is whom such clients trust; {@code clients/NAME.key}; and {@code operator.key}, which belongs in a safe. Keys are hexadecimal, readable by their
 * owner alone.
 *
 * @param root the directory
 * @param folders where it is
 */
public record DeploymentDirectory(Path root, Folders folders) {
    private static final HexFormat HEX = HexFormat.of();
    private static final String KEY = ".key";
    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** A file of the directory is missing or wrong; the message is one line for the user. */
    public static final class UnusableDirectory extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableDirectory(String message) {
            super(message);
        }
    }

    /**
     * Writes what a new deployment has beside its keys.
     *
     * @param <E> what else may fail
     */
    @FunctionalInterface
    public interface Rest<E extends Exception> {
        /** Writes all of it, durably. */
        void write() throws IOException, E;
    }

    /** A directory on this machine's disk. */
    public DeploymentDirectory(Path root) {
        this(root, Folders.disk());
    }

    /**
     * Writes a new deployment without stores. When this returns, a power cut takes nothing of it.
     *
     * @throws UnusableDirectory when the directory holds a deployment already, or a part of one
     * @throws IOException when writing fails
     */
    public void write(Deployment deployment) throws UnusableDirectory, IOException {
        this.<IOException>write(deployment, () -> {});
    }

    /** The same with the stores of all appservers, which begin empty and belong to the keys. */
    public void writeWithStores(Deployment deployment) throws UnusableDirectory, IOException {
        this.<IOException>write(deployment, () -> deployment.makeStores(folders, dataPath()));
    }

    /**
     * The same with more. It is written when the keys are durable. Only when it is written there is a deployment: what was interrupted
     * before is refused.
     */
    public <E extends Exception> void write(Deployment deployment, Rest<E> rest)
            throws UnusableDirectory, IOException, E {
        new NewDeployment(this).write(deployment, rest);
    }

    /** Throws when the directory holds a deployment already, or a part of one. */
    public void requireNew() throws UnusableDirectory, IOException {
        new NewDeployment(this).requireNew();
    }

    /** Reads and verifies the descriptor. */
    public Descriptor descriptor() throws UnusableDirectory {
        requireDeployment();
        PublicKey operator = operator();
        try {
            return descriptorFile().open(operator);
        } catch (DescriptorFile.InvalidDescriptor invalid) {
            throw new UnusableDirectory(descriptorPath() + ": " + invalid.getMessage());
        }
    }

    private void requireDeployment() throws UnusableDirectory {
        if (!folders.present(root)) {
            throw new UnusableDirectory(root + " is no directory; 'aspas init' makes one");
        }
        try {
            new NewDeployment(this).requireFinished();
        } catch (IOException broken) {
            throw new UnusableDirectory(root + " cannot be read: " + broken.getMessage());
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
        Path path = clientPath(name, KEY);
        if (!folders.present(path)) {
            SigningKey key = Deployment.newKey();
            addClientKey(name, key);
            return key;
        }
        try {
            return readKey(path);
        } catch (UnusableDirectory torn) {
            throw new UnusableDirectory(
                    torn.getMessage() + "; if its making was interrupted, nobody used it, and it can be removed");
        }
    }

    /**
     * Writes the key of a client that has none, durably.
     *
     * @throws java.nio.file.FileAlreadyExistsException when it has one
     */
    public void addClientKey(String name, SigningKey key) throws IOException {
        new NewDeployment(this).writeClientKey(name, key);
    }

    /** The names of the clients that have a key here, in order. */
    public List<String> clientNames() throws IOException {
        return folders.read(root.resolve("clients")).names().stream()
                .filter(file -> file.endsWith(KEY))
                .map(file -> file.substring(0, file.length() - KEY.length()))
                .sorted()
                .toList();
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

    /** Where the certificate is that an appserver shows to clients, unless it is told otherwise. */
    public Path tlsCertificatePath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.tlsCertificateFile(node));
    }

    /** Where the private key of that certificate is. */
    public Path tlsKeyPath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.tlsKeyFile(node));
    }

    /** Whom clients trust that reach servers by TLS: the file, if there is one. */
    public Optional<Path> tlsAuthorities() {
        return Optional.of(root.resolve(NewDeployment.AUTHORITIES)).filter(folders::present);
    }

    private SigningKey readKey(Path path) throws UnusableDirectory {
        byte[] seed = readHex(path);
        if (seed.length != Ed25519.SEED_LENGTH) {
            throw new UnusableDirectory(path + " holds " + seed.length + " bytes, but a private seed has 32");
        }
        return SigningKey.of(seed);
    }

    private byte[] readHex(Path path) throws UnusableDirectory {
        String text = new String(readBytes(path), StandardCharsets.UTF_8).strip();
        try {
            return HEX.parseHex(text);
        } catch (IllegalArgumentException noHex) {
            throw new UnusableDirectory(path + " is not hexadecimal");
        }
    }

    private byte[] readBytes(Path path) throws UnusableDirectory {
        try {
            Path folder = path.getParent();
            return folders.read(folder == null ? Path.of("") : folder)
                    .read(path.getFileName().toString());
        } catch (NoSuchFileException missing) {
            throw new UnusableDirectory(path + " is missing");
        } catch (IOException broken) {
            throw new UnusableDirectory(path + " cannot be read: " + broken.getMessage());
        }
    }

    private Path descriptorPath() {
        return root.resolve(NewDeployment.DESCRIPTOR);
    }

    private Path signaturePath() {
        return root.resolve(NewDeployment.SIGNATURE);
    }

    private Path operatorPath() {
        return root.resolve(NewDeployment.OPERATOR);
    }

    private Path keyPath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.keyFile(node));
    }

    private Path orderingKeyPath(int replica) {
        return root.resolve("keys").resolve(NewDeployment.orderingKeyFile(replica));
    }
}
