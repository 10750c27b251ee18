package org.aspas.emulab.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.CoreTime;
import org.aspas.appserver.core.state.Counters;
import org.aspas.appserver.core.state.DurableOutbox;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerCondition;
import org.aspas.bftcluster.engine.BareReplica;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.bftcluster.frame.SerialFilter;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.node.OrderingNode;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Notice;
import org.aspas.client.net.RoundTripDelay;
import org.aspas.client.net.TransportDelay;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.script.Campaign;
import org.aspas.emulab.testbed.cluster.ServerHttp;

/**
 * The module boundaries: which package may see which, and what a pure core must not touch.
 *
 * <p>The rules speak about the product's classes of all modules. Maven already keeps a module from seeing one that
 * is not above it; the rules here keep the packages inside a module apart, and the libraries behind the one package
 * that owns them. A rule about a package that does not exist yet holds.
 */
@AnalyzeClasses(packages = "org.aspas", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Pure code: the cores, and the judge of what replicas of the ordering library say to each other. */
    private static final String[] CORES = {
        "org.aspas.crdt..",
        "org.aspas.certify..",
        "org.aspas.appserver.core..",
        "org.aspas.client.core..",
        "org.aspas.bftcluster.frame..",
        "org.aspas.emulab.baselines.obft.core.."
    };

    /** Where the sources of cores are, from the folder of all modules. */
    private static final List<String> CORE_SOURCES = List.of(
            "crdt/src/main",
            "certify/src/main",
            "appserver/src/main/java/org/aspas/appserver/core",
            "client/src/main/java/org/aspas/client/core",
            "bft-cluster/src/main/java/org/aspas/bftcluster/frame",
            "emulab/baselines/src/main/java/org/aspas/emulab/baselines/obft/core");

    /** What decides in the simulator: the guarantees, and what runs them and counts who was noticed. */
    private static final String[] JUDGES = {
        "org.aspas.emulab.sim.invariant..", "org.aspas.emulab.sim.model..", "org.aspas.emulab.sim.script.."
    };

    /** What the application named itself, and no sentence: an object's key, and the name of its datatype. */
    private static final Set<String> NAMES_OF_OBJECTS = Set.of("key", "type");

    /** Method references too, not only calls. */
    private static final DescribedPredicate<JavaAccess<?>> GIVES_TEXT = DescribedPredicate.describe(
            "gives a text",
            access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget method
                    && !NAMES_OF_OBJECTS.contains(method.getName())
                    && method.getRawReturnType().isEquivalentTo(String.class));

    /** The simulator but for its shell, which spreads runs over threads. */
    private static final DescribedPredicate<JavaClass> SIMULATED = resideInAPackage("org.aspas.emulab.sim..")
            .and(not(equivalentTo(Campaign.class)))
            .as("the simulator, campaigns left out");

    private static final DescribedPredicate<JavaClass> THREADS_OR_FUTURES = assignableTo(Thread.class)
            .or(assignableTo(Executor.class))
            .or(assignableTo(Future.class))
            .or(assignableTo(CompletionStage.class))
            .or(resideInAPackage("java.util.concurrent.locks.."))
            .as("threads, executors, futures or locks");

    private static final DescribedPredicate<JavaClass> UNSEEDED_RANDOMNESS = assignableTo(ThreadLocalRandom.class)
            .or(assignableTo(SecureRandom.class))
            .as("randomness without a seed");

    // ---- Modules and packages ----

    @ArchTest
    static final ArchRule modulesStandOnThoseAboveThem = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("org.aspas..")
            .withOptionalLayers(true)
            .layer("crdt")
            .definedBy("org.aspas.crdt..")
            .layer("certify")
            .definedBy("org.aspas.certify..")
            .layer("bft-cluster")
            .definedBy("org.aspas.bftcluster..")
            .layer("appserver")
            .definedBy("org.aspas.appserver..")
            .layer("client")
            .definedBy("org.aspas.client..")
            .layer("emulab")
            .definedBy("org.aspas.emulab..")
            .whereLayer("certify")
            .mayOnlyBeAccessedByLayers("bft-cluster", "appserver", "client", "emulab")
            .whereLayer("bft-cluster")
            .mayOnlyBeAccessedByLayers("appserver", "emulab")
            .whereLayer("appserver")
            .mayOnlyBeAccessedByLayers("emulab")
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("emulab")
            .whereLayer("emulab")
            .mayNotBeAccessedByAnyLayer();

    /** The testbed's modules: a command line on experiments, on the systems compared, on a laboratory and workloads, on the simulator. */
    @ArchTest
    static final ArchRule testbedModulesStandOnThoseAboveThem = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("org.aspas.emulab..")
            .layer("sim")
            .definedBy("org.aspas.emulab.sim..")
            .layer("workload")
            .definedBy("org.aspas.emulab.workload..")
            .layer("testbed")
            .definedBy("org.aspas.emulab.testbed..")
            .layer("console")
            .definedBy("org.aspas.emulab.console..")
            .layer("baselines")
            .definedBy("org.aspas.emulab.baselines..")
            .layer("experiments")
            .definedBy("org.aspas.emulab.experiments..")
            .layer("cli")
            .definedBy("org.aspas.emulab.cli..")
            .whereLayer("sim")
            .mayOnlyBeAccessedByLayers("testbed", "console", "baselines", "experiments", "cli")
            .whereLayer("workload")
            .mayOnlyBeAccessedByLayers("console", "baselines", "experiments", "cli")
            .whereLayer("testbed")
            .mayOnlyBeAccessedByLayers("console", "baselines", "experiments", "cli")
            .whereLayer("console")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("baselines")
            .mayOnlyBeAccessedByLayers("experiments", "cli")
            .whereLayer("experiments")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer();

    /**
     * An appserver sends its commands over links to the bftservers; only they submit to the ordering library. What nodes of both
     * tiers tell Prometheus and OpenTelemetry is in one place each.
     */
    @ArchTest
    static final ArchRule appserversKnowOnlyTheLinksOfTheCluster = noClasses()
            .that()
            .resideInAPackage("org.aspas.appserver..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.aspas.bftcluster..")
                    .and(not(resideInAnyPackage("org.aspas.bftcluster.link..", "org.aspas.bftcluster.telemetry..")))
                    .as("packages of the cluster other than its links and telemetry"))
            .allowEmptyShould(true);

    /** Whatever reaches a replica of the ordering library goes through the isolation layer, and only a bftserver has one. */
    @ArchTest
    static final ArchRule onlyBftserversIsolateReplicas = classes()
            .that()
            .resideInAPackage("org.aspas.bftcluster.isolation..")
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage("org.aspas.bftcluster.isolation..", "org.aspas.bftcluster.node..");

    /** SerialFilter is the exception: it is for the whole process, so the command installs it. */
    @ArchTest
    static final ArchRule onlyTheIsolationLayerSeesWhatJudgesFrames = classes()
            .that(resideInAPackage("org.aspas.bftcluster.frame..").and(not(equivalentTo(SerialFilter.class))))
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage("org.aspas.bftcluster.frame..", "org.aspas.bftcluster.isolation..");

    @ArchTest
    static final ArchRule framesAreJudgedFromTheirBytesAlone = noClasses()
            .that()
            .resideInAPackage("org.aspas.bftcluster.frame..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.aspas..")
                    .and(not(resideInAPackage("org.aspas.bftcluster.frame..")))
                    .as("other packages of the product"));

    @ArchTest
    static final ArchRule coresDoNotSeeTheirShells = noClasses()
            .that()
            .resideInAnyPackage("org.aspas.appserver.core..", "org.aspas.client.core..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "org.aspas.bftcluster..",
                    "org.aspas.appserver.net..",
                    "org.aspas.appserver.http..",
                    "org.aspas.appserver.store..",
                    "org.aspas.appserver.node..",
                    "org.aspas.client.api..",
                    "org.aspas.client.deployment..",
                    "org.aspas.client.net..",
                    "org.aspas.client.cli.."))
            .allowEmptyShould(true);

    /**
     * A bftserver's core has three shells: the process, the simulator's, and that which fills stores. What its record consists of is known to
     * {@code restore} too, which writes the first one.
     */
    @ArchTest
    static final ArchRule onlyShellsSeeTheCoreOfABftserver = classes()
            .that(resideInAPackage("org.aspas.certify.replica..")
                    .and(not(nameMatching("org.aspas.certify.replica.RecordItem(\\$.*)?"))))
            .should()
            .onlyHaveDependentClassesThat()
            .resideInAnyPackage(
                    "org.aspas.certify.replica..",
                    "org.aspas.bftcluster.node..",
                    "org.aspas.emulab.sim..",
                    "org.aspas.emulab.testbed.fill..");

    /** Another machine behind an appserver's sockets is an experiment's, and no experiment is in what is deployed. */
    @ArchTest
    static final ArchRule appserversRunTheCoreAlone = classes()
            .that()
            .implement(AppServerMachine.class)
            .and()
            .resideOutsideOfPackage("org.aspas.emulab..")
            .should()
            .be(AppServerCore.class)
            .allowEmptyShould(true);

    /** A replica that is not isolated, its client, and an order of other commands than certification are for comparisons. */
    @ArchTest
    static final ArchRule onlyBaselinesOrderWithoutCertification = classes()
            .that(resideInAPackage("org.aspas.bftcluster.proxy..")
                    .or(equivalentTo(BareReplica.class))
                    .or(equivalentTo(OrderingNode.class)))
            .should()
            .onlyHaveDependentClassesThat(
                    resideInAnyPackage("org.aspas.emulab.baselines..", "org.aspas.bftcluster.proxy..")
                            .or(assignableTo(BareReplica.class))
                            .or(assignableTo(OrderingNode.class))
                            .or(nameMatching("org.aspas.bftcluster.(engine.BareReplica|node.OrderingNode)\\$.*")));

    /** Other signatures than those of the deployment are for what ASPAS is compared with. */
    @ArchTest
    static final ArchRule onlyBaselinesGoWithoutSignatures = noClasses()
            .that()
            .resideOutsideOfPackage("org.aspas.emulab.baselines..")
            .should()
            .callMethod(Descriptor.class, "verifiedBy", SignatureScheme.class);

    /** Distance is an experiment's: nothing that is deployed delays its frames, but for a client whose user asks for it. */
    @ArchTest
    static final ArchRule onlyExperimentsDelayFrames = classes()
            .that()
            .implement(LinkDelay.class)
            .or()
            .implement(TransportDelay.class)
            .should()
            .resideInAPackage("org.aspas.emulab..")
            .orShould()
            .be(RoundTripDelay.class);

    /** The shell that drives the core, in the package of all that listens. */
    private static final DescribedPredicate<JavaClass> ACTOR = DescribedPredicate.<JavaClass>alwaysTrue()
            .and(
                    nameMatching(
                            "org.aspas.appserver.net.(AppServerLag|Core(Actor|Command|Handle)|NeededObjects|ObjectPrefetcher)(\\$.*)?"))
            .as("the actor");

    private static final DescribedPredicate<JavaClass> PEERS = DescribedPredicate.<JavaClass>alwaysTrue()
            .and(nameMatching("org.aspas.appserver.net.(Peer(Inbox|Links)|VerifiedHeads)(\\$.*)?"))
            .as("the links to peers");

    private static final DescribedPredicate<JavaClass> HTTP = resideInAPackage("org.aspas.appserver.http..");

    private static final DescribedPredicate<JavaClass> STORE = resideInAPackage("org.aspas.appserver.store..");

    /** Each shell of the application server sees the core and the ports; only the wiring in {@code node} sees two. */
    @ArchTest
    static void shellsDoNotSeeEachOther(JavaClasses product) {
        List<DescribedPredicate<JavaClass>> shells = List.of(ACTOR, PEERS, HTTP, STORE);
        for (DescribedPredicate<JavaClass> one : shells) {
            for (DescribedPredicate<JavaClass> other : shells) {
                if (one != other) {
                    noClasses().that(one).should().dependOnClassesThat(other).check(product);
                }
            }
        }
    }

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("org.aspas.(*).(*)..").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule testbedPackagesHaveNoCycles =
            slices().matching("org.aspas.emulab.(*).(*)..").should().beFreeOfCycles();

    /** Every package of the appserver by itself, the core's own among them. */
    @ArchTest
    static final ArchRule appserverPackagesHaveNoCycles =
            slices().matching("org.aspas.appserver.(**)").should().beFreeOfCycles();

    /** What goes into the core and what comes out of it, and the core itself to make one. */
    @ArchTest
    static final ArchRule shellsOfTheAppserverSeeThePortOfTheCoreAlone = noClasses()
            .that()
            .resideInAPackage("org.aspas.appserver..")
            .and()
            .resideOutsideOfPackage("org.aspas.appserver.core..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.aspas.appserver.core..")
                    .and(not(resideInAPackage("org.aspas.appserver.core.state..")))
                    .and(not(equivalentTo(AppServerCore.class)))
                    .or(belongToAnyOf(
                            CoreState.class,
                            CorePart.class,
                            CoreTime.class,
                            Counters.class,
                            DurableOutbox.class,
                            Records.class,
                            ServerCondition.class)));

    /**
     * What a part of the appserver's core finds out it returns: nobody calls back into a step that is under way. What waits for
     * hashes of leaves goes on at the beginning of a later step.
     */
    @ArchTest
    static final ArchRule partsOfTheAppserverHoldNoCallbacks = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage("org.aspas.appserver.core..")
            .and()
            .areDeclaredInClassesThat()
            .doNotHaveFullyQualifiedName("org.aspas.appserver.core.log.LateLeaves$Waiting")
            .should()
            .haveRawType(assignableTo(Consumer.class)
                    .or(assignableTo(BiConsumer.class))
                    .or(assignableTo(Runnable.class)));

    /** Every package of the client by itself, the core's own among them. */
    @ArchTest
    static final ArchRule clientPackagesHaveNoCycles =
            slices().matching("org.aspas.client.(**)").should().beFreeOfCycles();

    // ---- Libraries, each behind its owner ----

    @ArchTest
    static final ArchRule bftSmartStaysInTheCluster = noClasses()
            .that()
            .resideOutsideOfPackage("org.aspas.bftcluster..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("bftsmart.."))
            .allowEmptyShould(true);

    /** Links of nodes, the port of binary sessions, a client's end of them, and the port of a rival that has its own server. */
    @ArchTest
    static final ArchRule nettyStaysWithConnections = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "org.aspas.bftcluster..",
                    "org.aspas.appserver.net..",
                    "org.aspas.client.net..",
                    "org.aspas.client.api..",
                    "org.aspas.emulab.baselines.obft")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.netty.."))
            .allowEmptyShould(true);

    /** So that none of it is loaded where tracing is off: others hold our own classes, or null. */
    @ArchTest
    static final ArchRule openTelemetryStaysInTracing = noClasses()
            .that()
            .resideOutsideOfPackage("org.aspas.bftcluster.telemetry..")
            .or()
            .haveNameMatching("org.aspas.bftcluster.telemetry.(Metrics|NodeMetrics).*")
            .should()
            .dependOnClassesThat(resideInAPackage("io.opentelemetry.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule bouncyCastleStaysInIdentity = noClasses()
            .that()
            .resideOutsideOfPackage("org.aspas.certify.identity..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.bouncycastle.."))
            .allowEmptyShould(true);

    /** It is loaded by name, so that nothing depends on a native library. */
    @ArchTest
    static final ArchRule nobodyDependsOnTheNativeLibrary = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("com.amazon.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule akkaStaysInShells = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.aspas.crdt..",
                    "org.aspas.certify..",
                    "org.aspas.bftcluster..",
                    "org.aspas.client..",
                    "..core..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("akka..", "scala.."))
            .allowEmptyShould(true);

    /** Two HTTP servers of Akka's in one actor system would make an actor of one name, and another version may have other internals. */
    @ArchTest
    static final ArchRule akkaHttpIsGuarded = noClasses()
            .that()
            .haveNameNotMatching("org.aspas.appserver.http.GuardedHttp(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("akka.http.impl..")
                    .or(nameMatching("akka.http.(javadsl|scaladsl).Http(Ext)?\\$?")))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule ycsbStaysInEmulab = noClasses()
            .that()
            .resideOutsideOfPackage("org.aspas.emulab..")
            .should()
            .dependOnClassesThat(resideInAPackage("site.ycsb.."))
            .allowEmptyShould(true);

    // ---- Pure cores ----

    /**
     * Two packages are left out: the key and trust managers that identity gives to TLS name sockets in their signatures, and
     * the journal's real files are in a package of their own.
     */
    @ArchTest
    static final ArchRule coresDoNoInputOrOutput = noClasses()
            .that(resideInAnyPackage(CORES)
                    .and(not(resideInAnyPackage("org.aspas.certify.identity..", "org.aspas.certify.journal.file.."))))
            .should()
            .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.channels..", "javax.net.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule coresHaveNoThreads = noClasses()
            .that()
            .resideInAnyPackage(CORES)
            .should()
            .dependOnClassesThat(THREADS_OR_FUTURES)
            .allowEmptyShould(true);

    /**
     * Byte code shows synchronized methods only; blocks are looked for in the sources. Two packages are left out: the provider of
     * signatures is chosen once for the process, and a server's threads look at tags together.
     */
    @ArchTest
    static void coresHaveNoLocks(JavaClasses product) {
        noMethods()
                .that()
                .areDeclaredInClassesThat(resideInAnyPackage(CORES)
                        .and(not(resideInAnyPackage("org.aspas.certify.identity..", "org.aspas.certify.tag.."))))
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .check(product);
        Path root = Path.of("").toAbsolutePath().getParent().getParent();
        assertThat(CORE_SOURCES.stream().map(root::resolve).flatMap(ArchitectureTest::javaFiles))
                .isNotEmpty()
                .filteredOn(file -> !file.getParent().endsWith("certify/tag")
                        && !file.getParent()
                                .endsWith("certify/journal/file")) // What a process has locked is one table for it.
                .noneMatch(file -> text(file).contains("synchronized ("));
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @ArchTest
    static final ArchRule coresHaveNoClock = noClasses()
            .that()
            .resideInAnyPackage(CORES)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat(assignableTo(java.time.Clock.class))
            .allowEmptyShould(true);

    /** A core has a port for files; what is behind it is a shell's choice. */
    @ArchTest
    static final ArchRule coresDoNotSeeTheJournalsFiles = noClasses()
            .that(resideInAnyPackage(CORES).and(not(resideInAPackage("org.aspas.certify.journal.file.."))))
            .should()
            .dependOnClassesThat(resideInAPackage("org.aspas.certify.journal.file.."));

    /** The folder of a journal names its temporary files by chance; that is a shell behind the port for files. */
    @ArchTest
    static final ArchRule coresHaveNoRandomnessOfTheirOwn = noClasses()
            .that(resideInAnyPackage(CORES).and(not(resideInAPackage("org.aspas.certify.journal.file.."))))
            .should()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .dependOnClassesThat(UNSEEDED_RANDOMNESS)
            .allowEmptyShould(true);

    /** The JDK's generators of keys take their randomness themselves: cores and the simulator are given their keys. */
    @ArchTest
    static final ArchRule coresAndTheSimulatorMakeNoKeys = noClasses()
            .that(resideInAnyPackage(CORES).or(SIMULATED))
            .should()
            .callMethod(SigningKey.class, "generate")
            .orShould()
            .callMethod(TlsCertificate.class, "selfSigned", String.class, Instant.class, Instant.class);

    /** A Byzantine server may stall within an answer or send one without an end, and only this class bounds both. */
    @ArchTest
    static final ArchRule onlyServerHttpAsksServers = noClasses()
            .that(not(equivalentTo(ServerHttp.class)))
            .should()
            .callMethodWhere(target(owner(assignableTo(HttpClient.class))).and(target(nameMatching("send(Async)?"))));

    // ---- The simulator: one seed, one run ----

    @ArchTest
    static final ArchRule simulationHasNoThreadsAndNoNetwork = noClasses()
            .that(SIMULATED)
            .should()
            .dependOnClassesThat(
                    THREADS_OR_FUTURES.or(resideInAnyPackage("java.net..", "java.nio.channels..", "javax.net..")));

    @ArchTest
    static final ArchRule simulationHasNoClock = noClasses()
            .that(SIMULATED)
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat(assignableTo(java.time.Clock.class));

    @ArchTest
    static final ArchRule simulationIsRandomBySeedOnly = noClasses()
            .that(SIMULATED)
            .should()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callConstructor(Random.class)
            .orShould()
            .callConstructor(SplittableRandom.class)
            .orShould()
            .dependOnClassesThat(UNSEEDED_RANDOMNESS);

    /** What a text says may change at any time: a judge that reads it can be fooled by rewording it. */
    @ArchTest
    static final ArchRule judgesReadNoProse = noClasses()
            .that()
            .resideInAnyPackage(JUDGES)
            .should()
            .accessTargetWhere(target(owner(assignableTo(Alarm.class)
                            .or(assignableTo(Notice.class))
                            .or(assignableTo(ClientEvent.class))
                            .or(assignableTo(Failure.class))
                            .or(assignableTo(Refusal.class))))
                    .and(GIVES_TEXT)
                    .as("a method of an alarm, notice, event, failure or refusal that gives a text"));

    @ArchTest
    static final ArchRule judgesSearchInNoText = noClasses()
            .that()
            .resideInAnyPackage("org.aspas.emulab.sim.invariant..", "org.aspas.emulab.sim.script..")
            .and()
            .haveNameNotMatching("org.aspas.emulab.sim.script.(CampaignReport|FigureTree|JsonReport|RoleTable).*")
            .should()
            .accessTargetWhere(target(owner(assignableTo(String.class)))
                    .and(target(nameMatching(
                            "contains|startsWith|endsWith|matches|(lastI|i)ndexOf|substring|split|regionMatches")))
                    .as("a search in a text"))
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.util.regex..");

    /** Alarms are put into words by what shows them to people: the shells of an appserver. */
    @ArchTest
    static final ArchRule onlyShellsPutAlarmsIntoWords = noClasses()
            .that(not(resideInAnyPackage("org.aspas.appserver.net..")))
            .should()
            .accessTargetWhere(target(owner(assignableTo(Alarm.class))).and(target(name("text"))));

    /** Not the classes that encode, sign or hash: a message and each part of one is a record, an enum or an interface, or is signed. */
    private static final DescribedPredicate<JavaClass> A_MESSAGE_OR_A_PART_OF_ONE = DescribedPredicate.describe(
            "a message or a part of one",
            type -> type.isRecord() || type.isEnum() || type.isInterface() || type.isEquivalentTo(Signed.class));

    /** What judges the code is not made of it: plain ids, decoded messages and values are all that the model takes. */
    @ArchTest
    static final ArchRule theReferenceModelStandsAlone = classes()
            .that()
            .resideInAPackage("org.aspas.emulab.sim.model..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..",
                            "org.jspecify.annotations..",
                            "org.aspas.emulab.sim.model..",
                            "org.aspas.crdt.value..")
                    .or(resideInAPackage("org.aspas.certify.wire").and(A_MESSAGE_OR_A_PART_OF_ONE))
                    .or(belongToAnyOf(
                            Hash.class,
                            PublicKey.class,
                            AgreementShare.class,
                            ClientId.class,
                            NodeId.class,
                            Dot.class,
                            VersionVector.class))
                    .as("the JDK, ids, messages and values"));

    /** Its hashes are its own too: it takes the bytes of an id, and asks none to compute. */
    @ArchTest
    static final ArchRule theReferenceModelHashesByItself = noClasses()
            .that()
            .resideInAPackage("org.aspas.emulab.sim.model..")
            .should()
            .callMethod(Hash.class, "sha256", byte[][].class)
            .orShould()
            .callMethod(Hash.class, "sha256", byte[].class, byte[].class, int.class)
            .orShould()
            .callMethod(Hash.class, "sha256", byte.class, Hash.class, Hash.class)
            .orShould()
            .callMethod(Signed.class, "identity");

    // ---- Everywhere ----

    /** PrintCapture is the exception: it takes the streams away from the ordering library, and prints nothing itself. */
    @ArchTest
    static final ArchRule onlyCommandsPrint = noClasses()
            .that(not(resideInAPackage("org.aspas.emulab..")))
            .and(not(equivalentTo(PrintCapture.class)))
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothingOnTheWireIsJavaSerialization = noClasses()
            .should()
            .dependOnClassesThat(assignableTo(ObjectInputStream.class).or(assignableTo(ObjectOutputStream.class)))
            .allowEmptyShould(true);
}
