package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.store.JournalStore;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.deployment.DeploymentFiles;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.deployment.Folders;
import org.aspas.client.deployment.UnusableDeploymentException;

/**
 * A deployment as a directory: {@code deployment.json} with {@code deployment.json.sig} and {@code operator.pub}, which
 * everyone needs; {@code keys/NODE.key} (and {@code keys/NODE.ordering.key} for a bftserver), which only that node needs;
 * {@code keys/NODE.tls.key} and {@code keys/NODE.tls.pem} are an appserver's for clients that come by TLS, and {@code
 * tls-ca.pem} is whom such clients trust; {@code clients/NAME.key}; and {@code operator.key}, which belongs in a safe. Keys are hexadecimal, readable by their
 * owner alone.
 */
public record DeploymentDirectory(Path root, Folders folders) {
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
     */
    public void write(Deployment deployment) throws UnusableDirectory, IOException {
        this.<IOException>write(deployment, () -> {});
    }

    /** The same with the stores of all appservers and the records of all bftservers, which begin empty and belong to the keys. */
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

    private DeploymentFolder ofClients() {
        return new DeploymentFolder(root, folders);
    }

    private DeploymentFiles files() {
        return new DeploymentFiles(folders);
    }

    @FunctionalInterface
    private interface Reading<T, E extends Exception> {
        T read() throws UnusableDeploymentException, E;
    }

    private static <T, E extends Exception> T read(Reading<T, E> reading) throws UnusableDirectory, E {
        try {
            return reading.read();
        } catch (UnusableDeploymentException wrong) {
            throw new UnusableDirectory(String.valueOf(wrong.getMessage()));
        }
    }

    /** Reads and verifies the descriptor. */
    public Descriptor descriptor() throws UnusableDirectory {
        requireDeployment();
        return read(ofClients()::descriptor);
    }

    private void requireDeployment() throws UnusableDirectory {
        if (!folders.present(root) || Files.isRegularFile(root)) {
            throw new UnusableDirectory(root + " is not a directory; 'aspas init' makes one");
        }
        try {
            NewDeployment files = new NewDeployment(this);
            if (files.none()) {
                throw new UnusableDirectory("no deployment in " + root
                        + (root.equals(Path.of("."))
                                ? ": give --dir DIR or set ASPAS_DIR"
                                : "; 'aspas init " + root + "' makes one"));
            }
            files.requireFinished();
        } catch (IOException broken) {
            throw new UnusableDirectory(root + " cannot be read: " + broken.getMessage());
        }
    }

    /** Reads the descriptor with its signature, and verifies nothing. */
    public DescriptorFile descriptorFile() throws UnusableDirectory {
        return read(ofClients()::descriptorFile);
    }

    public PublicKey operator() throws UnusableDirectory {
        return read(ofClients()::operator);
    }

    /** Reads a node's identity key, and checks that it is the one in the descriptor. */
    public SigningKey key(Descriptor descriptor, NodeId node) throws UnusableDirectory {
        SigningKey key = read(() -> files().signingKey(keyPath(node)));
        if (!key.publicKey().equals(descriptor.node(node).key())) {
            throw new UnusableDirectory(keyPath(node) + " is not the key that the descriptor lists for " + node);
        }
        return key;
    }

    public KeyPair orderingKey(Descriptor descriptor, int replica) throws UnusableDirectory {
        byte[] encoded = read(() -> files().hex(orderingKeyPath(replica)));
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
        return DeploymentDirectory.<SigningKey, IOException>read(
                () -> ofClients().clientKey(name));
    }

    /**
     * Writes the key of a client that has none, durably.
     *
     * @throws java.nio.file.FileAlreadyExistsException when it has one
     */
    public void addClientKey(String name, SigningKey key) throws IOException {
        ofClients().addClientKey(name, key);
    }

    /** The names of the clients that have a key here, in order. */
    public List<String> clientNames() throws IOException {
        return ofClients().clientNames();
    }

    /** Where a client keeps what must survive its process, such as its record. */
    public Path clientPath(String name, String suffix) {
        return ofClients().clientPath(name, suffix);
    }

    /** Where a node keeps what must survive its process, unless it is told otherwise; not part of the keys. */
    public Path dataPath(NodeId node) {
        return dataPath().resolve(node.toString());
    }

    /** Where the journal of a node is, which one process at a time uses, unless the node is told to keep its data elsewhere. */
    public Path journalPath(NodeId node) {
        return dataPath(node).resolve(node.role() == Role.APPSERVER ? JournalStore.DIRECTORY : DurableRecord.DIRECTORY);
    }

    /** Where nodes keep what must survive their processes, each in a directory named as it is. */
    public Path dataPath() {
        return root.resolve("data");
    }

    /** Where the certificate is that an appserver shows to clients, unless it is told otherwise. */
    public Path tlsCertificatePath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.tlsCertificateFile(node));
    }

    public Path tlsKeyPath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.tlsKeyFile(node));
    }

    /** The file of certificates that clients by TLS trust, if there is one. */
    public Optional<Path> tlsAuthorities() {
        return ofClients().tlsAuthorities();
    }

    private Path keyPath(NodeId node) {
        return root.resolve("keys").resolve(NewDeployment.keyFile(node));
    }

    private Path orderingKeyPath(int replica) {
        return root.resolve("keys").resolve(NewDeployment.orderingKeyFile(replica));
    }
}
