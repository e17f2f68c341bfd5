#include "api.h"
#include <dlfcn.h>

Api api;

namespace {

template <typename Function> bool find_symbol(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

} // namespace

bool find_functions(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  return library
      && find_symbol(library, "mlirOperationGetContext", api.context_of)
      && find_symbol(library, "mlirOperationGetName", api.name_of)
      && find_symbol(library, "mlirOperationGetLocation", api.location)
      && find_symbol(library, "mlirIdentifierGet", api.identifier)
      && find_symbol(library, "mlirOperationWalk", api.walk)
      && find_symbol(library, "mlirIdentifierStr", api.text_of)
      && find_symbol(library, "mlirOperationGetNumAttributes", api.count_attributes)
      && find_symbol(library, "mlirOperationGetAttribute", api.attribute)
      && find_symbol(library, "mlirOperationGetAttributeByName", api.named_attribute)
      && find_symbol(library, "mlirOperationGetNumOperands", api.count_operands)
      && find_symbol(library, "mlirOperationGetOperand", api.operand)
      && find_symbol(library, "mlirOperationGetNumResults", api.count_results)
      && find_symbol(library, "mlirOperationGetResult", api.result)
      && find_symbol(library, "mlirOperationGetNumSuccessors", api.count_successors)
      && find_symbol(library, "mlirOperationGetSuccessor", api.successor)
      && find_symbol(library, "mlirOperationGetNumRegions", api.count_regions)
      && find_symbol(library, "mlirOperationGetRegion", api.region)
      && find_symbol(library, "mlirRegionGetFirstBlock", api.first_block)
      && find_symbol(library, "mlirBlockGetNextInRegion", api.next_block)
      && find_symbol(library, "mlirBlockGetFirstOperation", api.first_operation)
      && find_symbol(library, "mlirOperationGetNextInBlock", api.next_operation)
      && find_symbol(library, "mlirBlockGetNumArguments", api.count_arguments)
      && find_symbol(library, "mlirBlockGetArgument", api.argument)
      && find_symbol(library, "mlirValueGetType", api.type_of)
      && find_symbol(library, "mlirTypeIsAIndex", api.is_index)
      && find_symbol(library, "mlirTypeIsAInteger", api.is_integer)
      && find_symbol(library, "mlirIntegerTypeIsSignless", api.is_signless)
      && find_symbol(library, "mlirIntegerTypeGetWidth", api.width)
      && find_symbol(library, "mlirTypeIsAMemRef", api.is_memref)
      && find_symbol(library, "mlirTypeIsAUnrankedMemRef", api.is_unranked_memref)
      && find_symbol(library, "mlirMemRefTypeGetMemorySpace", api.memory_space)
      && find_symbol(library, "mlirAttributeIsAInteger", api.is_integer_attribute)
      && find_symbol(library, "mlirIntegerAttrGetValueInt", api.integer)
      && find_symbol(library, "mlirDenseI32ArrayGetElement", api.i32_element)
      && find_symbol(library, "mlirValueIsAOpResult", api.is_result)
      && find_symbol(library, "mlirOpResultGetOwner", api.result_owner)
      && find_symbol(library, "mlirOpResultGetResultNumber", api.result_number)
      && find_symbol(library, "mlirBlockArgumentGetOwner", api.argument_owner)
      && find_symbol(library, "mlirBlockArgumentGetArgNumber", api.argument_number)
      && find_symbol(library, "mlirValueGetFirstUse", api.first_use)
      && find_symbol(library, "mlirOpOperandGetNextUse", api.next_use)
      && find_symbol(library, "mlirOpOperandGetOwner", api.use_owner)
      && find_symbol(library, "mlirOpOperandGetOperandNumber", api.use_number)
      && find_symbol(library, "mlirOperationGetParentOperation", api.parent)
      && find_symbol(library, "mlirBlockGetParentOperation", api.parent_of_block)
      && find_symbol(library, "mlirBlockGetTerminator", api.terminator)
      && find_symbol(library, "mlirOperationGetBlock", api.block_of)
      && find_symbol(library, "mlirOperationClone", api.clone)
      && find_symbol(library, "mlirBlockInsertOwnedOperationBefore", api.insert_before)
      && find_symbol(library, "mlirOperationSetOperand", api.set_operand)
      && find_symbol(library, "mlirAttributeGetType", api.attribute_type)
      && find_symbol(library, "mlirOpPrintingFlagsCreate", api.printing_flags)
      && find_symbol(library, "mlirOpPrintingFlagsDestroy", api.destroy_flags)
      && find_symbol(library, "mlirOpPrintingFlagsElideLargeElementsAttrs", api.elide_elements)
      && find_symbol(library, "mlirOpPrintingFlagsElideLargeResourceString", api.elide_resources)
      && find_symbol(library, "mlirOpPrintingFlagsEnableDebugInfo", api.print_locations)
      && find_symbol(library, "mlirOpPrintingFlagsPrintGenericOpForm", api.print_generic)
      && find_symbol(library, "mlirOpPrintingFlagsUseLocalScope", api.print_local_scope)
      && find_symbol(library, "mlirOpPrintingFlagsSkipRegions", api.skip_regions)
      && find_symbol(library, "mlirOpPrintingFlagsAssumeVerified", api.assume_verified)
      && find_symbol(library, "mlirOperationPrintWithFlags", api.print);
}
