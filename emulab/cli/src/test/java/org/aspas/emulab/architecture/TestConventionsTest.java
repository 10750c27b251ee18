package org.aspas.emulab.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;

/**
 * What holds for the tests of every module: names by which the build finds them, and no waiting by sleeping.
 *
 * <p>The compiled tests are read from the modules' build folders, so a run in one module alone sees those that were
 * built before.
 */
class TestConventionsTest {
    private static final List<String> MODULES = List.of(
            "crdt",
            "certify",
            "bft-cluster",
            "appserver",
            "client",
            "emulab/sim",
            "emulab/workload",
            "emulab/testbed",
            "emulab/console",
            "emulab/baselines",
            "emulab/experiments",
            "emulab/gatling",
            "emulab/cli",
            "client/test",
            "client/example");

    private static final DescribedPredicate<JavaClass> HAVE_TESTS = new DescribedPredicate<>("have test methods") {
        @Override
        public boolean test(JavaClass candidate) {
            return !candidate.getModifiers().contains(JavaModifier.ABSTRACT)
                    && candidate.getAllMethods().stream()
                            .anyMatch(method -> method.isMetaAnnotatedWith(Testable.class)
                                    || method.isAnnotatedWith(Testable.class));
        }
    };

    private static final ArchCondition<JavaClass> STAND_IN_A_CLASS_NAMED_TEST =
            new ArchCondition<>("stand in a top-level class whose name ends in Test") {
                @Override
                public void check(JavaClass tests, ConditionEvents events) {
                    JavaClass outermost = tests;
                    while (outermost.getEnclosingClass().isPresent()) {
                        outermost = outermost.getEnclosingClass().get();
                    }
                    if (!outermost.getSimpleName().endsWith("Test")) {
                        events.add(SimpleConditionEvent.violated(
                                tests, outermost.getName() + " has tests that the build would never run"));
                    }
                }
            };

    @Test
    void testClassesEndWithTest() {
        classes().that(HAVE_TESTS).should(STAND_IN_A_CLASS_NAMED_TEST).check(testClasses());
    }

    @Test
    void noTestSleeps() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .because("a test waits for a condition, not for a while")
                .check(testClasses());
    }

    private static JavaClasses testClasses() {
        Path root = Path.of("../..").toAbsolutePath().normalize();
        Stream<Path> built = MODULES.stream()
                .map(module -> root.resolve(module).resolve("target").resolve("test-classes"))
                .filter(Files::isDirectory);
        return new ClassFileImporter().importPaths(built.toList());
    }
}
