package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.client.deployment.Folders;

/**
 * A whole deployment with every private key, as the operator has it on the day of its making.
 *
 * @param file the signed descriptor
 * @param descriptor the same, opened
 * @param keys every node's identity key
 * @param orderingKeys every bftserver's RSA key for BFT-SMaRt, by index
 * @param certificates what appservers show to clients that come by TLS; of those alone that do so
 */
public record Deployment(
        SigningKey operator,
        DescriptorFile file,
        Descriptor descriptor,
        Map<NodeId, SigningKey> keys,
        List<KeyPair> orderingKeys,
        Map<NodeId, TlsCertificate> certificates) {
    private static final int ORDERING_KEY_BITS = 3072;
    private static final int CERTIFICATE_DAYS = 3_653;
    private static final SecureRandom RANDOM = new SecureRandom();

    public Deployment {
        keys = Map.copyOf(keys);
        orderingKeys = List.copyOf(orderingKeys);
        certificates = Map.copyOf(certificates);
    }

    /**
     * Where one node is to be reached.
     *
     * @param host a name or address
     * @param servicePort an appserver's client port; 0 for a bftserver, which serves no clients
     * @param sessionPort an appserver's port of binary sessions; 0 for none
     */
    public record Place(String host, int linkPort, int servicePort, int sessionPort, boolean clientTls) {
        /** A node without TLS for clients. */
        public Place(String host, int linkPort, int servicePort, int sessionPort) {
            this(host, linkPort, servicePort, sessionPort, false);
        }

        /** A node without a port of binary sessions. */
        public Place(String host, int linkPort, int servicePort) {
            this(host, linkPort, servicePort, 0);
        }
    }

    /**
     * Makes all keys and a signed descriptor.
     *
     * @param places one per node: appservers by index, then bftservers by index
     * @param admitted the clients admitted by name; empty for anyone
     * @throws IllegalArgumentException when the number of places does not fit the fault bounds
     */
    public static Deployment generate(
            String name, Quorums quorums, List<Place> places, Set<PublicKey> admitted, Limits limits) {
        if (places.size() != quorums.appservers() + quorums.bftservers()) {
            throw new IllegalArgumentException(places.size() + " places, but f = " + quorums.f() + " and b = "
                    + quorums.b() + " need " + quorums.appservers() + " appservers and " + quorums.bftservers()
                    + " bftservers");
        }
        Map<NodeId, SigningKey> keys = new TreeMap<>();
        // Nearly all the time goes into these.
        List<KeyPair> orderingKeys = IntStream.range(0, quorums.bftservers())
                .parallel()
                .mapToObj(each -> newOrderingKey())
                .toList();
        Map<NodeId, TlsCertificate> certificates = new TreeMap<>();
        List<NodeDescription> nodes = new ArrayList<>();
        for (int at = 0; at < places.size(); at++) {
            boolean appserver = at < quorums.appservers();
            NodeId id = appserver ? NodeId.appserver(at) : NodeId.bftserver(at - quorums.appservers());
            SigningKey key = newKey();
            keys.put(id, key);
            byte[] orderingKey = new byte[0];
            if (!appserver) {
                orderingKey = orderingKeys.get(id.index()).getPublic().getEncoded();
            }
            Place place = places.get(at);
            nodes.add(new NodeDescription(
                    id,
                    key.publicKey(),
                    place.host(),
                    place.linkPort(),
                    place.servicePort(),
                    place.sessionPort(),
                    place.clientTls(),
                    appserver ? AgreementKey.ofServer(key).share() : null,
                    orderingKey));
            if (place.clientTls()) {
                certificates.put(id, certificate(place.host()));
            }
        }
        SigningKey operator = newKey();
        DescriptorFile file = DescriptorFile.sign(operator, name, quorums, nodes, admitted, limits);
        return new Deployment(operator, file, opened(file, operator), keys, orderingKeys, certificates);
    }

    /** One that nobody else signs, for ten years from yesterday on: clocks differ. */
    private static TlsCertificate certificate(String host) {
        Instant yesterday = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);
        return TlsCertificate.selfSigned(host, yesterday, yesterday.plus(CERTIFICATE_DAYS, ChronoUnit.DAYS));
    }

    private static Descriptor opened(DescriptorFile file, SigningKey operator) {
        try {
            return file.open(operator.publicKey());
        } catch (DescriptorFile.InvalidDescriptor impossible) {
            throw new IllegalStateException("a descriptor just signed does not open", impossible);
        }
    }

    public static SigningKey newKey() {
        return SigningKey.generate();
    }

    private static KeyPair newOrderingKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(ORDERING_KEY_BITS, RANDOM);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK makes RSA keys", impossible);
        }
    }

    /**
     * Makes the stores of all appservers and the records of all bftservers, a directory named as the node for each. They are made with the
     * keys and never again: what is gone must not look like that of a new key.
     *
     * @param data where nodes keep what must survive their processes; made when it is missing
     * @throws IOException when there is one already, or it cannot be written
     */
    public void makeStores(Folders folders, Path data) throws IOException {
        for (Map.Entry<NodeId, SigningKey> key : keys.entrySet()) {
            if (key.getKey().role() == Role.APPSERVER) {
                StoreOwner owner = new StoreOwner(
                        descriptor.id(), key.getKey(), key.getValue().publicKey());
                Path journal = data.resolve(key.getKey().toString()).resolve(JournalStore.DIRECTORY);
                JournalStore.<IOException>make(
                        folders.journal(journal), owner, folders.limits(JournalStore.LIMITS), store -> {});
            }
        }
        makeRecords(folders, data);
    }

    /** Makes the records of the bftservers alone, for appservers that keep nothing. */
    public void makeRecords(Folders folders, Path data) throws IOException {
        for (NodeId node : keys.keySet()) {
            if (node.role() == Role.BFTSERVER) {
                Path journal = data.resolve(node.toString()).resolve(DurableRecord.DIRECTORY);
                DurableRecord.make(
                        folders.journal(journal), descriptor.id(), node.index(), folders.limits(DurableRecord.LIMITS));
            }
        }
    }

    public SigningKey key(NodeId node) {
        SigningKey key = keys.get(node);
        if (key == null) {
            throw new IllegalArgumentException("the deployment has no " + node);
        }
        return key;
    }
}
